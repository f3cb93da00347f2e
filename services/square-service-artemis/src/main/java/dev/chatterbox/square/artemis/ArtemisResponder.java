package dev.chatterbox.square.artemis;

import dev.chatterbox.square.common.SquareResponder;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.ActiveMQInterruptedException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/** Answers what its queue brings. Connects for ever, with a {@link Link} of its own each time. */
@Component
class ArtemisResponder implements SmartLifecycle, HealthIndicator {

    private static final Logger log = LoggerFactory.getLogger(ArtemisResponder.class);

    /** Back within a second when the broker is. */
    private static final Duration RECONNECT_WAIT = Duration.ofMillis(500);

    /** A link closes within its call timeout; shorter than spring.lifecycle.timeout-per-shutdown-phase. */
    private static final Duration STOP = Duration.ofSeconds(4);

    private final String url;
    private final String queue;
    private final SquareResponder responder;
    private volatile @Nullable Thread thread;
    private volatile boolean connected;

    ArtemisResponder(
            @Value("${artemis.url}") String url, @Value("${artemis.queue}") String queue, SquareResponder responder) {
        this.url = url;
        this.queue = queue;
        this.responder = responder;
    }

    @Override
    public void start() {
        Thread started = new Thread(this::stayConnected, "artemis-link");
        started.setDaemon(true);
        thread = started;
        started.start();
    }

    private void stayConnected() {
        boolean told = false;
        try {
            while (isRunning()) {
                try (Link link = Link.open(url, queue, responder)) {
                    connected = true;
                    told = false;
                    log.info("Answers what comes to {} at {}", queue, url);
                    link.awaitEnd();
                } catch (ActiveMQException | ActiveMQInterruptedException e) {
                    if (!told) {
                        log.warn("No Artemis broker answers at {} yet ({}); keeps trying", url, e.getMessage());
                        told = true;
                    }
                } finally {
                    connected = false;
                }
                if (isRunning()) {
                    TimeUnit.NANOSECONDS.sleep(RECONNECT_WAIT.toNanos());
                }
            }
        } catch (InterruptedException stopped) {
            log.debug("No longer answers", stopped);
        }
    }

    @Override
    public Health health() {
        Health.Builder health = connected
                ? Health.up()
                : Health.down().withDetail("reason", "not connected to " + url + "; it keeps trying");
        return health.withDetail("url", url).build();
    }

    /** Takes no more requests, answers what it is at, gives the others back to the queue, closes. */
    @Override
    public void stop() {
        Thread started = thread;
        thread = null;
        if (started == null) {
            return;
        }
        started.interrupt();
        try {
            started.join(STOP.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public boolean isRunning() {
        return thread != null;
    }
}
