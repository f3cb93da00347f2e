package dev.chatterbox.memory;

import dev.chatterbox.client.SquareClient;
import dev.chatterbox.client.SquareReply;
import dev.chatterbox.client.SquareRequest;
import dev.chatterbox.proto.Input;
import dev.chatterbox.proto.Output;
import dev.chatterbox.proto.Outputs;
import dev.chatterbox.proto.Square;
import dev.chatterbox.responder.Burn;
import dev.chatterbox.responder.SquareResponder;
import dev.chatterbox.transport.CallWork;
import java.time.Duration;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * Squares in this process, on the subscribing thread, so that a call costs only what the aggregator itself costs. A
 * call that works burns on a thread of Reactor's bounded scheduler, because event loops subscribe, and ends on its timer.
 */
public class MemorySquareClient implements SquareClient {

    @Override
    public Mono<SquareReply> square(SquareRequest request) {
        Mono<SquareReply> reply = Mono.fromSupplier(() -> request.batch() ? batch(request) : unary(request));
        return request.work() == CallWork.NONE ? reply : worked(request, reply);
    }

    private static Mono<SquareReply> worked(SquareRequest request, Mono<SquareReply> reply) {
        CallWork work = request.work();
        Mono<SquareReply> burnt = work.burnMicros() == 0
                ? reply
                : reply.doFirst(() -> Burn.micros((long) request.count() * work.burnMicros()))
                        .subscribeOn(Schedulers.boundedElastic());
        return burnt.delayElement(Duration.ofNanos(1_000L * work.waitMicros()))
                .timeout(request.timeout(), Mono.error(request::timedOut));
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
        return SquareResponder.output(input.getNumber(), input.getPayload(), false);
    }

    @Override
    public Mono<Void> check() {
        return Mono.empty();
    }

    @Override
    public void stop() {}
}
