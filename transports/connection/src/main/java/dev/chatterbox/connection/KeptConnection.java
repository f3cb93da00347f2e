package dev.chatterbox.connection;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps one connection to a broker open: opens it on a thread of its own, awaits its end, closes it, pauses, and opens
 * the next one, for ever and whatever an attempt throws. The log says once that the broker is there, once that it is
 * not, and each reason for which it refuses once.
 *
 * <p>The libraries' own ways to reconnect are not used where they hold callers, keep what could not be sent, or give up.
 *
 * @param <C> what is open between two ends
 */
public final class KeptConnection<C extends BrokerConnection> {

    private static final Logger log = LoggerFactory.getLogger(KeptConnection.class);

    private final String broker;
    private final Duration pause;
    private final Duration stopWithin;
    private final Callable<? extends C> opener;
    private final Runnable ended;
    private volatile @Nullable Thread thread;
    private volatile @Nullable C current;

    /** What the last attempt threw, or why the last connection ended; null where neither is known. */
    private volatile @Nullable Throwable failure;

    /**
     * @param broker for messages, as "the Artemis broker at tcp://localhost:5445"
     * @param pause between the end of a connection, or an attempt that failed, and the next attempt
     * @param stopWithin how long {@link #stop} waits at most for the connection to be closed
     * @param opener opens a connection, on the thread of this; throws where the broker is away, or refuses
     * @param ended runs on this connection's thread after each end and each attempt that failed, once
     *     {@link #current} is null and before the connection is closed: replies to what was sent do not come any more
     */
    public KeptConnection(
            String broker, Duration pause, Duration stopWithin, Callable<? extends C> opener, Runnable ended) {
        this.broker = broker;
        this.pause = pause;
        this.stopWithin = stopWithin;
        this.opener = opener;
        this.ended = ended;
    }

    /** The broker, for messages. */
    public String broker() {
        return broker;
    }

    /** What is open now; null where nothing is. */
    public @Nullable C current() {
        return current;
    }

    /** What is said while nothing is open: that there is no connection, and why the broker refuses one if it does. */
    public String disconnectedMessage() {
        String refusal = refusal();
        return "no connection to " + broker + (refusal == null ? "" : ": " + refusal);
    }

    private @Nullable String refusal() {
        return failure instanceof RefusedException refused ? refused.getMessage() : null;
    }

    /** Whether it was started and not stopped. */
    public boolean isRunning() {
        return thread != null;
    }

    /** Returns at once; the first attempt follows in the background. */
    public synchronized void start() {
        Thread started = new Thread(this::keep, "connection to " + broker);
        started.setDaemon(true);
        thread = started;
        started.start();
    }

    /** Closes what is open, and opens nothing any more. Waits for that, within the bound. */
    public void stop() {
        Thread stopped;
        synchronized (this) {
            stopped = thread;
            thread = null;
        }
        if (stopped == null) {
            return;
        }
        stopped.interrupt();
        try {
            stopped.join(stopWithin.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean isKept() {
        return thread == Thread.currentThread();
    }

    private void keep() {
        boolean logged = false;
        while (isKept()) {
            C opened = null;
            try {
                opened = opener.call();
                // A library may have swallowed the interrupt of a stop: then nothing would end the wait.
                if (isKept()) {
                    failure = null;
                    logged = false;
                    current = opened;
                    log.info("Connected to {}", broker);
                    opened.awaitEnd();
                }
            } catch (Throwable e) {
                // An exception that nobody thought of must not end this loop: the broker would be away for good.
                if (isKept()) {
                    String earlier = refusal();
                    failure = e;
                    if (!logged && opened == null) {
                        log.warn("No connection to {} yet ({}); tries again every {} ms", broker, e, pause.toMillis());
                        log.debug("The cause", e);
                        logged = true;
                    } else if (e instanceof RefusedException && !Objects.equals(earlier, e.getMessage())) {
                        log.warn("Refused by {}: {}", broker, e.getMessage());
                    }
                }
            }
            end(opened);
            pause();
        }
    }

    private void end(@Nullable C opened) {
        // Of the stop's interrupt: it must not end the closing, which may answer what was taken.
        Thread.interrupted();
        current = null;
        try {
            ended.run();
        } catch (RuntimeException e) {
            log.error("The end of the connection to {} could not be passed on", broker, e);
        }
        if (opened == null) {
            return;
        }
        log.info("Disconnected from {}", broker);
        try {
            opened.close();
        } catch (RuntimeException e) {
            log.debug("The connection to {} was gone already", broker, e);
        }
    }

    private void pause() {
        try {
            if (isKept()) {
                Thread.sleep(pause.toMillis());
            }
        } catch (InterruptedException e) {
            log.debug("Stops", e);
        }
    }
}
