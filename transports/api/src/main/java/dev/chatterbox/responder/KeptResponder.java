package dev.chatterbox.responder;

import dev.chatterbox.connection.BrokerConnection;
import dev.chatterbox.connection.KeptConnection;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.SmartLifecycle;

/**
 * A responder over a broker, as a bean: keeps its connection open from the start of the service to its stop, and is
 * healthy while the connection brings requests.
 */
public final class KeptResponder implements SmartLifecycle, HealthIndicator {

    private final KeptConnection<?> connection;
    private final String address;

    /**
     * @param broker for messages, as "the Artemis broker at tcp://localhost:5445"
     * @param address of the broker, which health shows
     * @param opener opens a connection that brings requests. The close of the connection takes no more requests,
     *     answers those that were taken, except those whose answers wait, and disconnects
     */
    public KeptResponder(String broker, String address, Callable<? extends BrokerConnection> opener) {
        connection = new KeptConnection<>(broker, KeptConnection.PAUSE, KeptConnection.STOP_WITHIN, opener, () -> {});
        this.address = address;
    }

    @Override
    public Health health() {
        String problem = problem();
        Health.Builder health = problem == null ? Health.up() : Health.down().withDetail("reason", problem);
        return health.withDetail("broker", address).build();
    }

    private @Nullable String problem() {
        BrokerConnection open = connection.current();
        return open == null ? connection.disconnectedMessage() + "; it keeps trying" : open.problem();
    }

    @Override
    public void start() {
        connection.start();
    }

    @Override
    public void stop() {
        connection.stop();
    }

    @Override
    public boolean isRunning() {
        return connection.isRunning();
    }
}
