package dev.chatterbox.nats;

import dev.chatterbox.client.Deviation;
import io.nats.client.Connection;
import io.nats.client.Nats;
import io.nats.client.Options;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A client over a connection as jnats' documentation makes one: once, with the library's defaults.
 *
 * @param <T> what was made on the connection
 */
abstract class NatsStockClient<T> extends NatsRequestClient {

    private static final Logger log = LoggerFactory.getLogger(NatsStockClient.class);

    private volatile @Nullable Connection connection;
    private volatile @Nullable T made;
    private boolean stopped;

    NatsStockClient(NatsEndpoint endpoint) {
        super(endpoint);
    }

    /** Makes what else calls need on a connection, before the connection counts as open. */
    abstract T make(Connection opened) throws IOException;

    @Override
    final @Nullable Connection open() {
        return connection;
    }

    /** Null until there is a connection. */
    final @Nullable T made() {
        return made;
    }

    @Override
    final String disconnectedMessage() {
        return "no connection to " + endpoint.access().broker();
    }

    @Override
    public final Set<Deviation> deviations() {
        return Set.of(Deviation.CONNECTS_ONCE, Deviation.WAITS_FOR_THE_BROKER);
    }

    @Override
    public Map<String, Object> settings() {
        Map<String, Object> shown = new HashMap<>(super.settings());
        shown.put("reconnects", Options.DEFAULT_MAX_RECONNECT);
        return shown;
    }

    /** Connects in the background. */
    @Override
    public final void start() {
        Thread thread = new Thread(this::connect, "nats-stock-start");
        thread.setDaemon(true);
        thread.start();
    }

    private void connect() {
        try {
            Connection opened = Nats.connect(endpoint.access().options().build());
            boolean kept = false;
            try {
                kept = keep(opened, make(opened));
            } finally {
                if (!kept) {
                    opened.close();
                }
            }
        } catch (IOException e) {
            log.warn("No NATS server answers at {}: {}", endpoint.access().server(), e.getMessage());
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

    /** Closes the connection; one that is being made is closed as soon as it is there. */
    @Override
    public void stop() {
        super.stop();
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
