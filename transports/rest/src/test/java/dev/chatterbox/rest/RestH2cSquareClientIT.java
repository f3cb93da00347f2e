package dev.chatterbox.rest;

import java.util.Map;
import org.junit.jupiter.api.Tag;

/** The client without WebClient, over HTTP/2 without TLS. */
@Tag("long")
class RestH2cSquareClientIT extends RestContract {

    RestH2cSquareClientIT() {
        super(true);
    }

    @Override
    protected String variant() {
        return "rest-h2c";
    }

    @Override
    String inUse() {
        return "streams";
    }

    @Override
    protected Map<String, String> settings() {
        return Map.of();
    }
}
