package dev.chatterbox.aggregator.queue;

import dev.chatterbox.aggregator.client.SquareQueueClient;
import jakarta.annotation.PreDestroy;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/** The runs of the exchange {@code queue} that go on in this aggregator: one a queue at a time. */
@Component
@EnableConfigurationProperties(QueueRuns.Properties.class)
public class QueueRuns {

    private final Map<String, QueueRunner> running = new ConcurrentHashMap<>();
    private final Properties properties;

    /** @param maxQueue the largest n of a run, 1 to 1,000,000 */
    @ConfigurationProperties("chatterbox")
    public record Properties(@DefaultValue("1000000") int maxQueue) {

        public Properties {
            if (maxQueue < 1 || maxQueue > 1_000_000) {
                throw new IllegalArgumentException("chatterbox.max-queue must be 1 to 1000000, but it is " + maxQueue);
            }
        }
    }

    QueueRuns(Properties properties) {
        this.properties = properties;
    }

    /** The largest n of a run. */
    public int maxMessages() {
        return properties.maxQueue();
    }

    /** Another run has the queue. */
    public static final class InUseException extends RuntimeException {

        private static final long serialVersionUID = 1;

        InUseException(String queue) {
            super("A run of the exchange queue goes on over %s; the next one can begin when it has ended"
                    .formatted(queue));
        }
    }

    /**
     * A run, which begins at the subscription and ends soon after a cancellation. Completes on a thread of its own, on
     * which a subscriber may block. Its error is an {@link InUseException}, or a
     * {@link dev.chatterbox.aggregator.client.CallException} if it could not begin.
     *
     * @param callTimeout the deadline of an acknowledgement, and of the run's beginning
     */
    public Mono<QueueResult> run(SquareQueueClient client, QueueRequest request, Duration callTimeout) {
        return Mono.create(sink -> {
            String queue = client.queue();
            QueueRunner runner = new QueueRunner(client, request, callTimeout);
            if (running.putIfAbsent(queue, runner) != null) {
                sink.error(new InUseException(queue));
                return;
            }
            sink.onCancel(runner::cancel);
            Thread thread = new Thread(
                    () -> {
                        Runnable end;
                        try {
                            QueueResult result = runner.run();
                            end = () -> sink.success(result);
                        } catch (InterruptedException | RuntimeException e) {
                            end = () -> sink.error(e);
                        }
                        // First, because who has an answer may begin the next run.
                        running.remove(queue);
                        end.run();
                    },
                    "queue-run");
            thread.setDaemon(true);
            thread.start();
        });
    }

    /** Ends all runs soon, as if their clients had gone away. */
    @PreDestroy
    void stop() {
        running.values().forEach(QueueRunner::cancel);
    }
}
