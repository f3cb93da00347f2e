package dev.chatterbox.pulsar;

import org.junit.jupiter.api.Tag;

/** The client with the library's batching. */
@Tag("long")
class PulsarBatchedSquareClientIT extends PulsarContract {

    @Override
    protected String row() {
        return "pulsar-batched";
    }
}
