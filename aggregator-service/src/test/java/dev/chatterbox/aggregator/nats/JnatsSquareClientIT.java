package dev.chatterbox.aggregator.nats;

import dev.chatterbox.aggregator.client.ClientSettings;
import dev.chatterbox.aggregator.client.SquareClient;
import dev.chatterbox.rows.Row;
import org.junit.jupiter.api.Tag;

@Tag("long")
class JnatsSquareClientIT extends NatsContract {

    @Override
    protected String row() {
        return "nats-jnats";
    }

    @Override
    SquareClient client(Row row, ClientSettings settings) {
        return new JnatsSquareClient(row, settings, LIMITS);
    }

    @Override
    protected int held(SquareClient client) {
        return ((JnatsSquareClient) client).outstanding();
    }

    @Override
    protected boolean connected(SquareClient client) {
        return ((JnatsSquareClient) client).connected();
    }

    @Override
    protected boolean countsStrayReplies() {
        return false;
    }
}
