package dev.chatterbox.grpc;

import org.junit.jupiter.api.Tag;

@Tag("long")
class GrpcStockSquareClientIT extends GrpcContract {

    @Override
    protected String variant() {
        return "grpc-stock";
    }
}
