package dev.chatterbox.rsocket;

import static java.util.Map.entry;

import dev.chatterbox.client.CallException;
import dev.chatterbox.client.CallLimits;
import dev.chatterbox.client.CallSubscriber;
import dev.chatterbox.client.CallTrace;
import dev.chatterbox.client.PendingCalls;
import dev.chatterbox.client.PendingClient;
import dev.chatterbox.client.SquareRequest;
import dev.chatterbox.variants.Variant;
import io.micrometer.core.instrument.MeterRegistry;
import io.rsocket.Payload;
import io.rsocket.RSocket;
import io.rsocket.RSocketErrorException;
import io.rsocket.core.RSocketConnector;
import io.rsocket.frame.decoder.PayloadDecoder;
import io.rsocket.util.ByteBufPayload;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;

/**
 * Request-response over one connection to each square service. {@link PendingCalls} keeps the deadlines, as for every
 * transport, so that a call has no timer. Replies arrive on Netty's event loops, a deadline's error on Reactor's timer.
 */
class RSocketSquareClient extends PendingClient {

    private static final Duration CHECK = Duration.ofSeconds(2);

    private final RSocketSettings settings;
    private final Connections connections;

    RSocketSquareClient(Variant variant, RSocketSettings settings, CallLimits limits, MeterRegistry meters) {
        super(PendingCalls.start(variant.name(), limits.maxInFlight(), meters));
        this.settings = settings;
        connections = new Connections(
                settings.targets(),
                RSocketConnector.create()
                        // A reply is not copied before it is read, but must be released then.
                        .payloadDecoder(PayloadDecoder.ZERO_COPY)
                        .metadataMimeType(Protocol.METADATA)
                        .keepAlive(settings.keepAlive(), settings.maxLifetime()));
    }

    @Override
    protected void send(long correlationId, SquareRequest request) {
        Call call = new Call(correlationId, request);
        RSocket connection = connections.next(correlationId);
        if (connection == null) {
            connections.opening().subscribe(call::sendOver, call::onError);
        } else {
            call.sendOver(connection);
        }
        // This comes last, because the call can be cancelled only now. If it has ended meanwhile, that does nothing.
        pending.disposeWithCall(correlationId, call);
    }

    /** Translates the error of a call that got no reply. */
    static CallException callException(Throwable error) {
        String reason = error.getMessage() == null ? error.getClass().getSimpleName() : error.getMessage();
        if (Protocol.isUnavailable(error)) {
            return CallException.noAnswer(reason);
        }
        return error instanceof RSocketErrorException reply
                ? CallException.error("an error reply: %s: %s".formatted(Protocol.code(reply), reason))
                : unreadable(reason);
    }

    static CallException unreadable(String reason) {
        return CallException.error("a reply that is not a square.Output message: " + reason);
    }

    /** Asks over each connection, until one square service says that it is healthy. */
    @Override
    public Mono<Void> check() {
        return connections
                .opening()
                .onErrorMap(RSocketSquareClient::callException)
                .flatMap(first -> Mono.firstWithValue(connections.all().stream()
                                .map(RSocketSquareClient::isWell)
                                .toList())
                        .single()
                        .onErrorMap(
                                error -> CallException.noAnswer("asked at " + String.join(",", settings.targets()))))
                .then();
    }

    private static Mono<Boolean> isWell(RSocket connection) {
        return Mono.defer(() -> connection.requestResponse(Protocol.request(new byte[0], Protocol.HEALTH)))
                .doOnNext(Payload::release)
                .timeout(CHECK)
                .then(Mono.just(true));
    }

    @Override
    public Map<String, Object> settings() {
        return Map.ofEntries(
                entry("targets", String.join(",", settings.targets())),
                entry("library", Protocol.version()),
                entry("route", settings.route() ? "named with each request" : "none"),
                entry("keep-alive", settings.keepAlive().toMillis() + " ms"),
                entry("max lifetime", settings.maxLifetime().toMillis() + " ms"));
    }

    @Override
    public void start() {
        connections.start();
    }

    @Override
    public void stop() {
        super.stop();
        connections.stop();
    }

    private final class Call extends CallSubscriber<Payload> {

        /** If a connection breaks while a call is cancelled, Reactor would log an error that concerns nobody. */
        private static final Context CONTEXT =
                Context.of("reactor.onErrorDropped.local", (Consumer<Throwable>) dropped -> {});

        private final long correlationId;
        private final SquareRequest request;
        private boolean replied;

        Call(long correlationId, SquareRequest request) {
            this.correlationId = correlationId;
            this.request = request;
        }

        /** The library releases the request after sending it, or when it is cancelled before that. */
        void sendOver(RSocket connection) {
            if (!isDisposed()) {
                connection.requestResponse(payload()).subscribe(this);
            }
        }

        /** A span travels in metadata, and so only with a route. */
        private Payload payload() {
            byte[] body = request.body();
            CallTrace trace = request.trace();
            if (!settings.route()) {
                return ByteBufPayload.create(body);
            }
            return trace == null ? Protocol.square(body) : Protocol.traced(body, trace.traceparent());
        }

        @Override
        public Context currentContext() {
            return CONTEXT;
        }

        @Override
        public void onNext(Payload reply) {
            replied = true;
            CallTrace trace = request.trace();
            if (trace != null && settings.route()) {
                trace.worked(Protocol.work(reply));
            }
            pending.reply(correlationId, Protocol.body(reply), SquareRequest::read);
        }

        @Override
        public void onError(Throwable error) {
            if (!isDisposed()) {
                pending.fail(correlationId, callException(error));
            }
        }

        @Override
        public void onComplete() {
            if (!replied) {
                pending.fail(correlationId, unreadable("it has no payload"));
            }
        }
    }
}
