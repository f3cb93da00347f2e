package dev.chatterbox.pulsar;

import org.junit.jupiter.api.Tag;

/** The client without the library's batching. */
@Tag("long")
class PulsarUnbatchedSquareClientIT extends PulsarContract {

    @Override
    protected String variant() {
        return "pulsar-unbatched";
    }
}
