package dev.chatterbox.rest;

import java.util.Map;
import org.junit.jupiter.api.Tag;
import reactor.netty.http.HttpProtocol;

/** The client without WebClient, over HTTP/2 without TLS. */
@Tag("long")
class RestH2cSquareClientIT extends RestContract {

    RestH2cSquareClientIT() {
        super("h2c");
    }

    @Override
    protected String variant() {
        return "rest-h2c";
    }

    @Override
    HttpProtocol protocol() {
        return HttpProtocol.H2C;
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
