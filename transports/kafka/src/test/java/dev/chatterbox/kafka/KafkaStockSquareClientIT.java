package dev.chatterbox.kafka;

import static org.springframework.test.util.ReflectionTestUtils.getField;

import dev.chatterbox.client.SquareClient;
import java.util.Map;
import org.junit.jupiter.api.Tag;

@Tag("long")
class KafkaStockSquareClientIT extends KafkaContract {

    @Override
    protected String variant() {
        return "kafka-stock";
    }

    /** The template has no count of its calls. */
    @Override
    protected int holds(SquareClient client) {
        return ((Map<?, ?>) getField(getField(client, "template"), "futures")).size();
    }

    @Override
    protected boolean connected(SquareClient client) {
        return Boolean.TRUE.equals(
                client.check().thenReturn(true).onErrorReturn(false).block(PATIENCE));
    }

    @Override
    protected boolean waitsForABrokerThatNeverWas() {
        return true;
    }

    @Override
    protected boolean countsStrayReplies() {
        return false;
    }
}
