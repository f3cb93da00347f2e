package dev.chatterbox.rsocket;

import org.junit.jupiter.api.Tag;

/** The client whose requests name no route. */
@Tag("long")
class RSocketNoRouteSquareClientIT extends RSocketSquareClientIT {

    @Override
    protected String variant() {
        return "rsocket-no-route";
    }
}
