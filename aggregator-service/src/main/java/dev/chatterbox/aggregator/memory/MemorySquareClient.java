package dev.chatterbox.aggregator.memory;

import dev.chatterbox.aggregator.client.Kind;
import dev.chatterbox.aggregator.client.SquareClient;
import dev.chatterbox.aggregator.client.SquareReply;
import dev.chatterbox.aggregator.client.SquareRequest;
import dev.chatterbox.proto.Square;
import java.util.Map;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/**
 * Squares in this process, on the thread that subscribes: what the aggregator itself costs. Only there with
 * {@code chatterbox.memory.enabled=true}.
 */
@Component
@ConditionalOnBooleanProperty("chatterbox.memory.enabled")
public class MemorySquareClient implements SquareClient {

    @Override
    public String name() {
        return "memory";
    }

    @Override
    public Kind kind() {
        return Kind.MEMORY;
    }

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
