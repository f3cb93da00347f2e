package dev.chatterbox.pulsar;

import org.junit.jupiter.api.Tag;

/** The client with the library's batching. */
@Tag("long")
class PulsarBatchedSquareClientIT extends PulsarContract {

    @Override
    protected String variant() {
        return "pulsar-batched";
    }
}
