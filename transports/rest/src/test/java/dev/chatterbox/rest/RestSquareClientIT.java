package dev.chatterbox.rest;

import org.springframework.web.reactive.function.client.WebClient;

class RestSquareClientIT extends RestContract {

    RestSquareClientIT() {
        super(false);
    }

    @Override
    protected String variant() {
        return "rest";
    }

    @Override
    protected Object[] beans() {
        return new Object[] {WebClient.builder()};
    }
}
