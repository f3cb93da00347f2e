package dev.chatterbox.nats;

import dev.chatterbox.client.CallLimits;
import dev.chatterbox.connection.KeptConnection;
import dev.chatterbox.rows.Row;
import io.nats.client.Connection;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Request-reply over NATS core by jnats' own {@code request()}, as an application does it that has no table of
 * pending calls of its own.
 */
class JnatsSquareClient extends NatsRequestClient {

    /** The client is connected again within a second after its server is back. */
    private static final Duration PAUSE = Duration.ofMillis(500);

    private final KeptConnection<NatsConnection<?>> connection;

    JnatsSquareClient(Row row, NatsSettings settings, CallLimits limits) {
        super(new NatsEndpoint(row, settings.access()));
        connection = new KeptConnection<>(
                endpoint.access().broker(),
                PAUSE,
                NatsEndpoint.STOP_WITHIN,
                () -> endpoint.open(limits.maxInFlight(), made -> made),
                () -> {});
    }

    @Override
    @Nullable
    Connection open() {
        return NatsConnection.connectionOf(connection.current());
    }

    @Override
    String disconnectedMessage() {
        return connection.disconnectedMessage();
    }

    @Override
    public void start() {
        connection.start();
    }

    @Override
    public void stop() {
        super.stop();
        connection.stop();
    }
}
