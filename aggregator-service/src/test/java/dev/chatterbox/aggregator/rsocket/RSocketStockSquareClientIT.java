package dev.chatterbox.aggregator.rsocket;

import dev.chatterbox.aggregator.client.ClientSettings;
import dev.chatterbox.aggregator.client.SquareClient;
import dev.chatterbox.rows.Row;
import org.junit.jupiter.api.Tag;

@Tag("long")
class RSocketStockSquareClientIT extends RSocketContract {

    @Override
    protected String row() {
        return "rsocket-stock";
    }

    @Override
    SquareClient client(Row row, ClientSettings settings) {
        return new RSocketStockSquareClient(row, settings);
    }

    /** The library tells nothing, so the peer does. */
    @Override
    int outstanding(SquareClient client) {
        return 0;
    }

    /** It connects with the first call. */
    @Override
    protected boolean connected(SquareClient client) {
        return true;
    }
}
