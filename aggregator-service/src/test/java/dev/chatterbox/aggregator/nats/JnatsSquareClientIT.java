package dev.chatterbox.aggregator.nats;

import static org.springframework.test.util.ReflectionTestUtils.getField;

import dev.chatterbox.aggregator.client.SquareClient;
import dev.chatterbox.connection.KeptConnection;
import dev.chatterbox.nats.NatsConnection;
import org.junit.jupiter.api.Tag;

@Tag("long")
class JnatsSquareClientIT extends NatsContract {

    @Override
    protected String row() {
        return "nats-jnats";
    }

    @Override
    protected int held(SquareClient client) {
        KeptConnection<?> connection = (KeptConnection<?>) getField(client, "connection");
        return outstanding(NatsConnection.connectionOf((NatsConnection<?>) connection.current()));
    }

    @Override
    protected boolean countsStrayReplies() {
        return false;
    }
}
