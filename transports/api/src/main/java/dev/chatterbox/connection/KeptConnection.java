package dev.chatterbox.connection;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps one connection to a broker open: it opens the connection on a thread of its own, awaits its end, closes it,
 * pauses, and opens the next one. It does so for ever, whatever an attempt throws. The log says once that the broker is
 * there, once that it is not, and once each reason for which the broker refuses.
 *
 * <p>The libraries' own ways to reconnect are not used if they block callers, store unsent messages, or give up.
 *
 * @param <C> the connection, as it is between its opening and its end
 */
public final class KeptConnection<C extends BrokerConnection> {

    /** The pause of a connection that is opened once: there is no other attempt. */
    public static final Duration FOR_EVER = Duration.ofDays(36_500);

    /** The pause of all others: a connection is open again within a second after its broker is back. */
    public static final Duration PAUSE = Duration.ofMillis(500);
    /** How long a stop waits at most; shorter than spring.lifecycle.timeout-per-shutdown-phase. */
    public static final Duration STOP_WITHIN = Duration.ofSeconds(4);

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
     * @param broker names the broker in messages, as in "the Artemis broker at tcp://localhost:5445"
     * @param pause between the end of a connection, or a failed attempt, and the next attempt; {@link #FOR_EVER} for no
     *     other attempt
     * @param stopWithin how long {@link #stop} waits at most until the connection is closed
     * @param opener opens a connection, on this object's thread; throws if the broker is away, or refuses
     * @param ended runs on this object's thread after the end of each connection and after each failed attempt, when
     *     {@link #current} is null and before the connection is closed. No more replies come to what was sent
     */
    public KeptConnection(
            String broker, Duration pause, Duration stopWithin, Callable<? extends C> opener, Runnable ended) {
        this.broker = broker;
        this.pause = pause;
        this.stopWithin = stopWithin;
        this.opener = opener;
        this.ended = ended;
    }

    public String broker() {
        return broker;
    }

    /** The open connection; null if none is open. */
    public @Nullable C current() {
        return current;
    }

    /** The message while no connection is open: it says so, and it has the broker's reason if the broker refuses. */
    public String disconnectedMessage() {
        String refusal = refusal();
        return "no connection to " + broker + (refusal == null ? "" : ": " + refusal);
    }

    private @Nullable String refusal() {
        return failure instanceof RefusedException refused ? refused.getMessage() : null;
    }

    public boolean isRunning() {
        return thread != null;
    }

    /** Returns at once; the first attempt follows in the background. */
    public synchronized void start() {
        Thread started = Daemon.thread("connection to " + broker, this::keep);
        thread = started;
        started.start();
    }

    /** Closes the connection, and opens no other one. Waits until it is closed, for {@code stopWithin} at most. */
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
        Daemon.join(stopped, stopWithin);
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
                // A library may have swallowed the interrupt of stop(): then nothing would end the wait below.
                if (isKept()) {
                    failure = null;
                    logged = false;
                    current = opened;
                    log.info("Connected to {}", broker);
                    opened.awaitEnd();
                }
            } catch (Throwable e) {
                // An unexpected exception must not end this loop: no other attempt would ever be made.
                if (isKept()) {
                    String earlier = refusal();
                    failure = e;
                    if (!logged && opened == null) {
                        String again = pause.equals(FOR_EVER) ? "no more" : "again every " + pause.toMillis() + " ms";
                        log.warn("No connection to {} yet ({}); tries {}", broker, e, again);
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
        // Clears the interrupt of stop(): it must not break off close(), which may still answer requests.
        Thread.interrupted();
        current = null;
        try {
            ended.run();
        } catch (Throwable e) {
            log.error("The end of the connection to {} could not be passed on", broker, e);
        }
        if (opened == null) {
            return;
        }
        log.info("Disconnected from {}", broker);
        try {
            opened.close();
        } catch (Throwable e) {
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
