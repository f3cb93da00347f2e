package dev.chatterbox.aggregator.artemis;

import dev.chatterbox.aggregator.client.ClientSettings;
import dev.chatterbox.aggregator.client.SquareClient;
import dev.chatterbox.rows.Row;

class ArtemisStockSquareClientIT extends ArtemisContract {

    @Override
    protected String row() {
        return "artemis-stock";
    }

    @Override
    SquareClient client(Row row, ClientSettings settings) {
        return new ArtemisStockSquareClient(row, settings, LIMITS);
    }

    @Override
    protected int held(SquareClient client) {
        return ((ArtemisStockSquareClient) client).outstanding();
    }

    @Override
    protected boolean connected(SquareClient client) {
        return Boolean.TRUE.equals(
                client.check().thenReturn(true).onErrorReturn(false).block(PATIENCE));
    }

    /** The broker drops what comes to a temporary queue that is gone. */
    @Override
    protected boolean countsStrayReplies() {
        return false;
    }
}
