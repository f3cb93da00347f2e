package dev.chatterbox.aggregator.artemis;

import dev.chatterbox.aggregator.client.CallException;
import dev.chatterbox.aggregator.client.Outcome;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.ActiveMQInterruptedException;
import org.apache.activemq.artemis.api.core.client.MessageHandler;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * The way to the broker, to the responder of one row: an {@link ArtemisConnection} that is made in the background, and
 * made anew for ever. Not by the client's own {@code reconnectAttempts}, which hold whoever sends until the broker is
 * back.
 */
final class ArtemisLink {

    private static final Logger log = LoggerFactory.getLogger(ArtemisLink.class);

    /** Back within a second when the broker is. */
    private static final Duration RECONNECT_WAIT = Duration.ofMillis(500);

    /** Closing takes no longer: nothing is asked of the broker. */
    private static final Duration STOP = Duration.ofSeconds(2);

    private final String url;
    private final String queue;
    private final MessageHandler replied;
    private final Runnable disconnected;
    private final Thread thread = new Thread(this::stayConnected, "artemis-link");
    private volatile @Nullable ArtemisConnection connection;
    private volatile boolean stopped;

    /**
     * @param replied takes replies, on a thread of the client's
     * @param disconnected runs on this link's thread: replies to what was sent have no way back any more
     */
    ArtemisLink(String url, String queue, MessageHandler replied, Runnable disconnected) {
        this.url = url;
        this.queue = queue;
        this.replied = replied;
        this.disconnected = disconnected;
        thread.setDaemon(true);
    }

    boolean connected() {
        return connection != null;
    }

    /** @throws CallException there is no connection now */
    ArtemisConnection requireConnected() {
        ArtemisConnection current = connection;
        if (current == null) {
            throw unavailable();
        }
        return current;
    }

    CallException unavailable() {
        return stopped
                ? CallException.stopping()
                : new CallException(Outcome.UNAVAILABLE, "no connection to the Artemis broker at " + url);
    }

    /** Asks the broker who consumes from the queue: it says no word to whoever sends where nobody does. */
    Mono<Void> check() {
        return Mono.fromCallable(() -> requireConnected().responders())
                .subscribeOn(Schedulers.boundedElastic())
                .onErrorMap(error -> !(error instanceof CallException), error -> unavailable())
                .filter(responders -> responders > 0)
                .switchIfEmpty(Mono.error(() ->
                        new CallException(Outcome.UNAVAILABLE, "no responder takes requests from the queue " + queue)))
                .then();
    }

    void start() {
        thread.start();
    }

    private void stayConnected() {
        boolean told = false;
        try {
            while (!stopped) {
                try (ArtemisConnection opened = ArtemisConnection.open(url, queue, replied)) {
                    connection = opened;
                    told = false;
                    log.info("Artemis at {} is there", url);
                    opened.awaitEnd();
                    log.info("Artemis at {} is gone", url);
                } catch (ActiveMQException | ActiveMQInterruptedException e) {
                    if (!told) {
                        log.warn("No Artemis broker answers at {} yet ({}); keeps trying", url, e.getMessage());
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
        } catch (InterruptedException e) {
            log.debug("This client stops", e);
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
