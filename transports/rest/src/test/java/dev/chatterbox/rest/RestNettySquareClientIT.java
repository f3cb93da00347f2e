package dev.chatterbox.rest;

import org.junit.jupiter.api.Tag;

@Tag("long")
class RestNettySquareClientIT extends RestContract {

    RestNettySquareClientIT() {
        super("http");
    }

    @Override
    protected String variant() {
        return "rest-netty";
    }
}
