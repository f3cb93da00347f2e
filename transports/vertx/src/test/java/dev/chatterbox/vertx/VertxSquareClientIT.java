package dev.chatterbox.vertx;

import java.util.Map;
import org.junit.jupiter.api.Tag;

/** The client over HTTP/1.1 with a call at a time on a connection. */
@Tag("kit")
class VertxSquareClientIT extends VertxContract {

    VertxSquareClientIT() {
        super(false);
    }

    @Override
    protected String variant() {
        return "rest-vertx";
    }

    /** As many connections as there are calls at once. */
    @Override
    protected Map<String, String> settings() {
        return Map.of("client.connections", "256");
    }
}
