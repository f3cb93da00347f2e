package dev.chatterbox.vertx;

import dev.chatterbox.http.HttpClientContract;
import java.util.Map;
import org.junit.jupiter.api.Tag;

/** The client over HTTP/1.1 with a call at a time on a connection. */
@Tag("kit")
class VertxSquareClientIT extends HttpClientContract {

    VertxSquareClientIT() {
        super(wiring(), false);
    }

    static Wiring wiring() {
        return new Wiring("client.url", "http://127.0.0.1:%d", "vertx", "an error reply: status 500");
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
