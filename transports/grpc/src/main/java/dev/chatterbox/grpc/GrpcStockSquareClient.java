package dev.chatterbox.grpc;

import dev.chatterbox.client.CallException;
import dev.chatterbox.client.MessageLimit;
import dev.chatterbox.client.SquareClient;
import dev.chatterbox.client.SquareReply;
import dev.chatterbox.client.SquareRequest;
import dev.chatterbox.client.StockCalls;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.Status;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import reactor.core.publisher.Mono;

/**
 * What grpc-java's documentation shows first: {@code ManagedChannelBuilder.forTarget(target)}, a stub and
 * {@code withDeadlineAfter}, with the library's defaults. Replies, and a deadline's error, arrive on a thread of
 * grpc-java's pool.
 */
class GrpcStockSquareClient implements SquareClient {

    /** @param targets the square service; of several, with commas between them, the first */
    record Settings(String targets) {}

    private final String target;
    private final ManagedChannel channel;
    private final StockCalls calls = new StockCalls(error -> GrpcMessages.callException(Status.fromThrowable(error)));

    GrpcStockSquareClient(Settings settings) {
        target = settings.targets().split(",")[0];
        channel = ManagedChannelBuilder.forTarget(target).usePlaintext().build();
    }

    @Override
    public Mono<SquareReply> square(SquareRequest request) {
        return calls.call(() -> GrpcMessages.unary(
                        channel,
                        SquaresGrpc.getUnaryMethod(),
                        CallOptions.DEFAULT.withDeadlineAfter(request.timeout().toNanos(), TimeUnit.NANOSECONDS),
                        request.input())
                .map(output -> request.reply(output))
                .onErrorMap(GrpcStockSquareClient::isDeadline, deadline -> request.timedOut()));
    }

    private static boolean isDeadline(Throwable error) {
        return Status.fromThrowable(error).getCode() == Status.Code.DEADLINE_EXCEEDED;
    }

    @Override
    public Mono<Void> check() {
        return GrpcMessages.serving(channel)
                .single()
                .onErrorMap(error -> CallException.unavailable("no square service answers at " + target))
                .then();
    }

    @Override
    public MessageLimit messageLimit() {
        return GrpcMessages.LIMIT;
    }

    @Override
    public Map<String, Object> settings() {
        return Map.of("targets", target, "library", Channels.version());
    }

    @Override
    public void stop() {
        calls.stop();
        channel.shutdownNow();
    }
}
