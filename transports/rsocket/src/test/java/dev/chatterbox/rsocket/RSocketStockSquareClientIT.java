package dev.chatterbox.rsocket;

import org.junit.jupiter.api.Tag;

@Tag("long")
class RSocketStockSquareClientIT extends RSocketContract {

    @Override
    protected String variant() {
        return "rsocket-stock";
    }
}
