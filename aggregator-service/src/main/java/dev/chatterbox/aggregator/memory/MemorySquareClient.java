package dev.chatterbox.aggregator.memory;

import dev.chatterbox.aggregator.client.SquareClient;
import dev.chatterbox.aggregator.client.SquareReply;
import dev.chatterbox.aggregator.client.SquareRequest;
import dev.chatterbox.proto.Square;
import java.util.Map;
import reactor.core.publisher.Mono;

/** Squares in this process, on the thread that subscribes: what the aggregator itself costs. */
public class MemorySquareClient implements SquareClient {

    @Override
    public Mono<SquareReply> square(SquareRequest request) {
        return Mono.fromSupplier(() -> request.reply(request.number(), Square.of(request.number())));
    }

    @Override
    public Mono<Void> check() {
        return Mono.empty();
    }

    @Override
    public Map<String, Object> settings() {
        return Map.of();
    }

    @Override
    public void start() {}

    @Override
    public void stop() {}
}
