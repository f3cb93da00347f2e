package dev.chatterbox.rsocket;

import org.junit.jupiter.api.Tag;

/** The client whose requests name no route. */
@Tag("long")
class RSocketNoRouteSquareClientIT extends RSocketSquareClientIT {

    @Override
    protected String row() {
        return "rsocket-no-route";
    }
}
