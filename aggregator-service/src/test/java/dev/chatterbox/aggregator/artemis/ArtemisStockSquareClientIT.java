package dev.chatterbox.aggregator.artemis;

import static org.springframework.test.util.ReflectionTestUtils.getField;

import dev.chatterbox.aggregator.client.SquareClient;
import java.util.concurrent.atomic.AtomicInteger;

class ArtemisStockSquareClientIT extends ArtemisContract {

    @Override
    protected String row() {
        return "artemis-stock";
    }

    @Override
    protected int held(SquareClient client) {
        return ((AtomicInteger) getField(client, "outstanding")).get();
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
