package dev.chatterbox.memory;

import dev.chatterbox.client.SquareClient;
import dev.chatterbox.client.SquareReply;
import dev.chatterbox.client.SquareRequest;
import dev.chatterbox.proto.Input;
import dev.chatterbox.proto.Output;
import dev.chatterbox.proto.Outputs;
import dev.chatterbox.proto.Square;
import reactor.core.publisher.Mono;

/** Squares in this process, on the subscribing thread, so that a call costs only what the aggregator itself costs. */
public class MemorySquareClient implements SquareClient {

    @Override
    public Mono<SquareReply> square(SquareRequest request) {
        return Mono.fromSupplier(() -> request.batch() ? batch(request) : unary(request));
    }

    private static SquareReply unary(SquareRequest request) {
        return request.payload() == 0
                ? request.reply(request.number(), Square.of(request.number()))
                : request.reply(output(request.input()));
    }

    private static SquareReply batch(SquareRequest request) {
        Outputs.Builder outputs = Outputs.newBuilder();
        request.inputs().getInputsList().forEach(input -> outputs.addOutputs(output(input)));
        return request.reply(outputs.build());
    }

    private static Output output(Input input) {
        return Output.newBuilder()
                .setNumber(input.getNumber())
                .setResult(Square.of(input.getNumber()))
                .setPayload(input.getPayload())
                .build();
    }

    @Override
    public Mono<Void> check() {
        return Mono.empty();
    }

    @Override
    public void stop() {}
}
