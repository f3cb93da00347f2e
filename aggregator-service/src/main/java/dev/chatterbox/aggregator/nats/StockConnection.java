package dev.chatterbox.aggregator.nats;

import dev.chatterbox.nats.NatsAccess;
import dev.chatterbox.nats.NatsConnection;
import io.nats.client.Connection;
import io.nats.client.Nats;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection as jnats' documentation makes one: once, with the library's defaults; and what was made on it.
 *
 * @param <T> what was made on it
 */
final class StockConnection<T> {

    private static final Logger log = LoggerFactory.getLogger(StockConnection.class);

    private final NatsAccess access;
    private final NatsConnection.Setup<T> setup;
    private volatile @Nullable Connection connection;
    private volatile @Nullable T made;
    private boolean stopped;

    StockConnection(NatsAccess access, NatsConnection.Setup<T> setup) {
        this.access = access;
        this.setup = setup;
    }

    /** Null until there is one. */
    @Nullable
    Connection connection() {
        return connection;
    }

    /** Null until there is a connection. */
    @Nullable
    T made() {
        return made;
    }

    /** For messages. */
    String disconnectedMessage() {
        return "no connection to " + access.broker();
    }

    /** Connects in the background. */
    void start() {
        Thread thread = new Thread(this::connect, "nats-stock-start");
        thread.setDaemon(true);
        thread.start();
    }

    private void connect() {
        try {
            Connection opened = Nats.connect(access.options().build());
            boolean kept = false;
            try {
                kept = keep(opened, setup.make(opened));
            } finally {
                if (!kept) {
                    opened.close();
                }
            }
        } catch (IOException e) {
            log.warn("No NATS server answers at {}: {}", access.server(), e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized boolean keep(Connection opened, T onIt) {
        if (!stopped) {
            connection = opened;
            made = onIt;
        }
        return !stopped;
    }

    /** Closes it; one that is being made is closed as soon as it is there. */
    void stop() {
        Connection opened;
        synchronized (this) {
            stopped = true;
            opened = connection;
        }
        if (opened != null) {
            try {
                opened.close();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
