package dev.chatterbox.artemis;

import static java.util.Objects.requireNonNull;
import static org.springframework.test.util.ReflectionTestUtils.getField;

import dev.chatterbox.client.SquareClient;
import org.junit.jupiter.api.Tag;
import org.springframework.test.util.ReflectionTestUtils;

@Tag("long")
class ArtemisStockSquareClientIT extends ArtemisContract {

    @Override
    protected String variant() {
        return "artemis-stock";
    }

    @Override
    protected int holds(SquareClient client) {
        // Each call occupies one thread, so that the busy threads are the held calls.
        Object threads = requireNonNull(getField(client, "threads"));
        return requireNonNull(ReflectionTestUtils.<Integer>invokeMethod(threads, "estimateBusy"));
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
