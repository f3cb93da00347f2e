package dev.chatterbox.vertx;

import dev.chatterbox.http.HttpClientContract;
import org.junit.jupiter.api.Tag;

/** The client over HTTP/2. */
@Tag("long")
class VertxH2cSquareClientIT extends HttpClientContract {

    VertxH2cSquareClientIT() {
        super(VertxSquareClientIT.wiring(), true);
    }

    @Override
    protected String variant() {
        return "rest-vertx-h2c";
    }
}
