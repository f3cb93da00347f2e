package dev.chatterbox.artemis;

import org.junit.jupiter.api.Tag;

/** The client with requests that never expire. */
@Tag("long")
class ArtemisLeanSquareClientIT extends ArtemisContract {

    @Override
    protected String variant() {
        return "artemis-lean";
    }
}
