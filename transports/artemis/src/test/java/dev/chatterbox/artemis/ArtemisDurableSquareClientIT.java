package dev.chatterbox.artemis;

import org.junit.jupiter.api.Tag;

/** The client with requests that are stored. */
@Tag("long")
class ArtemisDurableSquareClientIT extends ArtemisSquareClientIT {

    @Override
    protected String variant() {
        return "artemis-durable";
    }
}
