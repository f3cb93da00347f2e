package dev.chatterbox.nats;

import static org.springframework.test.util.ReflectionTestUtils.getField;

import dev.chatterbox.client.SquareClient;
import dev.chatterbox.connection.KeptConnection;
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
