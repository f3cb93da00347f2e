package dev.chatterbox.aggregator.rest;

import java.util.Map;
import reactor.netty.http.HttpProtocol;

/** The same client over HTTP/2 without TLS. */
class RestH2cSquareClientIT extends RestNettySquareClientIT {

    @Override
    protected String row() {
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
    String port() {
        return "h2c";
    }

    @Override
    Map<String, String> settings() {
        return Map.of();
    }
}
