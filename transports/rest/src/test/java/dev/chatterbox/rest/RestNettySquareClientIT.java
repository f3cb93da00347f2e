package dev.chatterbox.rest;

import org.junit.jupiter.api.Tag;

@Tag("long")
class RestNettySquareClientIT extends RestContract {

    RestNettySquareClientIT() {
        super(false);
    }

    @Override
    protected String variant() {
        return "rest-netty";
    }
}
