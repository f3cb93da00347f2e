package dev.chatterbox.rsocket;

import dev.chatterbox.client.CallException;
import dev.chatterbox.client.Deviation;
import dev.chatterbox.client.SquareClient;
import dev.chatterbox.client.SquareReply;
import dev.chatterbox.client.SquareRequest;
import dev.chatterbox.client.StockCalls;
import dev.chatterbox.proto.Output;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.http.codec.protobuf.ProtobufDecoder;
import org.springframework.http.codec.protobuf.ProtobufEncoder;
import org.springframework.messaging.rsocket.RSocketRequester;
import org.springframework.util.MimeType;
import reactor.core.publisher.Mono;

/**
 * What Spring's documentation shows first: {@code RSocketRequester.builder().tcp(host, port)}, a route for each
 * request, and encoders for its data, with the defaults of Spring and of rsocket-java. It connects when a call is made.
 * Replies arrive on Netty's event loop, the deadline's error on Reactor's timer.
 */
class RSocketStockSquareClient implements SquareClient {

    /** @param targets the square service, {@code host:port}; of several the first */
    record Settings(@DefaultValue("127.0.0.1:7598") List<String> targets) {

        Settings {
            RSocketSettings.requireTargets(targets);
        }
    }

    private static final Duration CHECK = Duration.ofSeconds(2);

    private final String target;
    private final RSocketRequester requester;
    private final StockCalls calls = new StockCalls(RSocketSquareClient::callException);

    RSocketStockSquareClient(Settings settings) {
        target = settings.targets().get(0);
        requester = requester(target);
    }

    private static RSocketRequester requester(String target) {
        InetSocketAddress address = Connections.address(target);
        return RSocketRequester.builder()
                .rsocketStrategies(
                        strategies -> strategies.encoder(new ProtobufEncoder()).decoder(new ProtobufDecoder()))
                .dataMimeType(new MimeType("application", "x-protobuf"))
                .tcp(address.getHostString(), address.getPort());
    }

    @Override
    public Mono<SquareReply> square(SquareRequest request) {
        return calls.timed(
                request,
                () -> requester
                        .route(Protocol.SQUARE)
                        .data(request.input())
                        .retrieveMono(Output.class)
                        .switchIfEmpty(Mono.error(() -> RSocketSquareClient.unreadable("it has no payload")))
                        .map(output -> request.reply(output)));
    }

    /**
     * Uses a requester of its own, because a requester connects at its first call, and if that fails, it never tries
     * again.
     */
    @Override
    public Mono<Void> check() {
        return Mono.defer(() -> requester.isDisposed()
                        ? Mono.error(CallException.unavailable(
                                "the RSocketRequester could not connect to %s once, and tries no more"
                                        .formatted(target)))
                        : Mono.using(
                                () -> requester(target),
                                other -> other.route(Protocol.HEALTH).retrieveMono(Void.class),
                                RSocketRequester::dispose))
                .timeout(CHECK)
                .onErrorMap(
                        error -> !(error instanceof CallException),
                        error -> CallException.unavailable("no square service answers at " + target))
                .then();
    }

    @Override
    public Set<Deviation> deviations() {
        return Set.of(Deviation.GIVES_UP_CONNECTING, Deviation.NOTICES_LATE);
    }

    @Override
    public Map<String, Object> settings() {
        return Map.of("targets", target, "library", Protocol.version() + ", Spring's RSocketRequester");
    }

    @Override
    public void stop() {
        calls.stop();
        if (!requester.isDisposed()) {
            requester.dispose();
        }
    }
}
