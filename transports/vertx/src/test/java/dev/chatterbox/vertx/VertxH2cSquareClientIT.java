package dev.chatterbox.vertx;

import org.junit.jupiter.api.Tag;

/** The client over HTTP/2. */
@Tag("long")
class VertxH2cSquareClientIT extends VertxContract {

    VertxH2cSquareClientIT() {
        super(true);
    }

    @Override
    protected String variant() {
        return "rest-vertx-h2c";
    }
}
