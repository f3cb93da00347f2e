package dev.chatterbox.aggregator.pulsar;

import dev.chatterbox.aggregator.client.CallException;
import dev.chatterbox.aggregator.client.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.pulsar.client.api.Message;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.PulsarClientException;
import org.apache.pulsar.client.api.SizeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The way to the broker: a {@link PulsarConnection} that is made in the background, and made anew for ever. Not by the
 * library alone, which keeps what it could not send and sends it when the broker is back, long after its deadline.
 */
final class PulsarLink {

    private static final Logger log = LoggerFactory.getLogger(PulsarLink.class);

    private static final Duration RECONNECT_WAIT = Duration.ofMillis(200);

    /** Closing waits for nobody. */
    private static final Duration STOP = Duration.ofSeconds(2);

    private final PulsarSettings settings;
    private final List<String> topics;
    private final String replyTopic;
    private final Consumer<Message<byte[]>> replied;
    private final Runnable connected;
    private final Runnable disconnected;
    private final Thread thread = new Thread(this::run, "pulsar-link");
    private volatile @Nullable PulsarConnection connection;
    private volatile boolean stopped;

    /**
     * @param topics that of unary requests, and that of batches where the row has any
     * @param replied takes replies, on a thread of the client's
     * @param connected runs on this link's thread each time that there is a connection
     * @param disconnected runs on this link's thread: replies to what was sent are not read any more
     */
    PulsarLink(
            PulsarSettings settings,
            List<String> topics,
            Consumer<Message<byte[]>> replied,
            Runnable connected,
            Runnable disconnected) {
        this.settings = settings;
        this.topics = topics;
        this.replyTopic = "%s.replies.%s".formatted(topics.get(0), UUID.randomUUID());
        this.replied = replied;
        this.connected = connected;
        this.disconnected = disconnected;
        thread.setDaemon(true);
    }

    boolean connected() {
        return connection != null;
    }

    /** @throws CallException there is no connection now */
    PulsarConnection requireConnected() {
        PulsarConnection current = connection;
        if (current == null) {
            throw unavailable();
        }
        return current;
    }

    CallException unavailable() {
        return stopped
                ? CallException.stopping()
                : new CallException(Outcome.UNAVAILABLE, "no connection to the Pulsar broker at " + settings.url());
    }

    void start() {
        thread.start();
    }

    private void run() {
        try {
            PulsarClient client = client();
            try {
                stayConnected(client);
            } catch (InterruptedException e) {
                log.debug("This client stops", e);
            } finally {
                // Waits for nobody: its threads take two seconds to end.
                client.closeAsync();
            }
        } catch (PulsarClientException e) {
            log.error("No call over Pulsar at {}: {}", settings.url(), e.getMessage());
        }
    }

    private PulsarClient client() throws PulsarClientException {
        return PulsarClient.builder()
                .serviceUrl(settings.url())
                .connectionTimeout(2, TimeUnit.SECONDS)
                // A broker that does not answer is given up after so long.
                .lookupTimeout(3, TimeUnit.SECONDS)
                .operationTimeout(3, TimeUnit.SECONDS)
                .startingBackoffInterval(100, TimeUnit.MILLISECONDS)
                // Back within a second when the broker is. By default up to 60 s.
                .maxBackoffInterval(500, TimeUnit.MILLISECONDS)
                // A broker that says nothing for twice as long is gone. By default 30 s.
                .keepAliveInterval(5, TimeUnit.SECONDS)
                // By default sending fails where 64 MB wait for the broker.
                .memoryLimit(0, SizeUnit.BYTES)
                .statsInterval(0, TimeUnit.SECONDS)
                .build();
    }

    private void stayConnected(PulsarClient client) throws InterruptedException {
        boolean told = false;
        while (!stopped) {
            try (PulsarConnection opened =
                    PulsarConnection.open(client, topics, replyTopic, settings.batching(), replied)) {
                connection = opened;
                told = false;
                log.info("Pulsar at {} is there", settings.url());
                connected.run();
                opened.awaitEnd();
                log.info("Pulsar at {} is gone", settings.url());
                // Before it is closed, so that nothing is sent over it any more.
                connection = null;
            } catch (PulsarClientException e) {
                if (!told && !stopped) {
                    log.warn("No Pulsar broker answers at {} yet ({}); keeps trying", settings.url(), e.getMessage());
                    told = true;
                }
            } finally {
                connection = null;
                disconnected.run();
            }
            if (!stopped) {
                TimeUnit.NANOSECONDS.sleep(RECONNECT_WAIT.toNanos());
            }
        }
    }

    void stop() {
        stopped = true;
        thread.interrupt();
        try {
            thread.join(STOP.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
