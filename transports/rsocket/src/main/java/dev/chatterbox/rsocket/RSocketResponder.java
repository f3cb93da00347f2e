package dev.chatterbox.rsocket;

import dev.chatterbox.proto.Output;
import dev.chatterbox.responder.ListeningResponder;
import dev.chatterbox.responder.Reply;
import dev.chatterbox.responder.SquareResponder;
import dev.chatterbox.traces.WorkSpan;
import io.netty.buffer.ByteBufUtil;
import io.rsocket.ConnectionSetupPayload;
import io.rsocket.Payload;
import io.rsocket.RSocket;
import io.rsocket.core.RSocketServer;
import io.rsocket.exceptions.InvalidException;
import io.rsocket.exceptions.RejectedException;
import io.rsocket.frame.FrameLengthCodec;
import io.rsocket.frame.decoder.PayloadDecoder;
import io.rsocket.transport.netty.server.CloseableChannel;
import io.rsocket.transport.netty.server.TcpServerTransport;
import io.rsocket.util.ByteBufPayload;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;
import reactor.netty.tcp.TcpServer;

/** Answers request-response on the event loop that read the request. */
@Component
public class RSocketResponder extends ListeningResponder {

    private static final Logger log = LoggerFactory.getLogger(RSocketResponder.class);

    /** How long the stop waits for answers; shorter than spring.lifecycle.timeout-per-shutdown-phase. */
    private static final Duration DRAIN = Duration.ofSeconds(2);

    /** How long the last answers have to leave the machine. */
    private static final Duration CLOSING = Duration.ofSeconds(1);

    private final SquareResponder responder;
    private final RSocketServer server;
    private final TcpServerTransport transport;
    private final Set<RSocket> requesters = ConcurrentHashMap.newKeySet();

    /** Each request that will be answered holds one permit until then. */
    private final Semaphore unanswered = new Semaphore(Integer.MAX_VALUE);

    @SuppressWarnings("NullAway.Init")
    private CloseableChannel listening;

    private volatile boolean stopping;

    RSocketResponder(
            SquareResponder responder,
            @Value("${server.address}") String address,
            @Value("${chatterbox.rsocket-port}") int port) {
        this.responder = responder;
        server = RSocketServer.create(this::connected)
                // A request is not copied before it is read, but must be released then.
                .payloadDecoder(PayloadDecoder.ZERO_COPY)
                // By default, fragments may add up to 2 GB.
                .maxInboundPayloadSize(FrameLengthCodec.FRAME_LENGTH_MASK);
        transport = TcpServerTransport.create(TcpServer.create().host(address).port(port));
    }

    private Mono<RSocket> connected(ConnectionSetupPayload setup, RSocket requester) {
        requesters.add(requester);
        requester
                .onClose()
                .onErrorComplete()
                .doFinally(end -> requesters.remove(requester))
                .subscribe();
        boolean routed = Protocol.canNameRoutes(setup);
        return Mono.just(new RSocket() {
            @Override
            public Mono<Payload> requestResponse(Payload request) {
                try {
                    return answer(request, routed);
                } finally {
                    request.release();
                }
            }
        });
    }

    @Override
    protected void listen() {
        listening = server.bindNow(transport);
    }

    @Override
    protected void close() {
        listening.dispose();
        stopping = true;
        try {
            if (!unanswered.tryAcquire(Integer.MAX_VALUE, DRAIN.toMillis(), TimeUnit.MILLISECONDS)) {
                log.warn(
                        "{} requests were not answered before the end",
                        Integer.MAX_VALUE - unanswered.availablePermits());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        List<RSocket> open = List.copyOf(requesters);
        open.forEach(RSocket::dispose);
        Mono.whenDelayError(open.stream().map(RSocket::onClose).toList())
                .timeout(CLOSING)
                .onErrorComplete()
                .block();
    }

    /** @param routed whether requests of the connection can name a route */
    private Mono<Payload> answer(Payload request, boolean routed) {
        String route;
        try {
            route = routed ? Protocol.route(request) : Protocol.SQUARE;
        } catch (RuntimeException e) {
            return refusal("the metadata cannot be read: " + e.getMessage());
        }
        return switch (route) {
            case Protocol.SQUARE -> {
                byte[] message = ByteBufUtil.getBytes(request.data());
                String traceparent = routed ? Protocol.traceparent(request) : null;
                yield answered(traceparent, reply -> responder.answer(message, reply));
            }
            case Protocol.HEALTH -> stopping ? rejection() : Mono.empty();
            default ->
                refusal("the route must be %s or %s, but it is %s".formatted(Protocol.SQUARE, Protocol.HEALTH, route));
        };
    }

    private Mono<Payload> refusal(String reason) {
        return answered(null, reply -> responder.refuse(reason, reply));
    }

    private Mono<Payload> answered(@Nullable String traceparent, Predicate<Reply<Output>> request) {
        // A request that comes during the stop finds the flag set, or no permit left.
        return stopping || !unanswered.tryAcquire()
                ? rejection()
                : new PendingReply(responder.trace(traceparent), request);
    }

    private static Mono<Payload> rejection() {
        return Mono.error(new RejectedException("the square service is stopping"));
    }

    /**
     * The answer to one request, sent as soon as the responder has it. Where the requester has given up meanwhile, the
     * library releases it.
     */
    private final class PendingReply extends Mono<Payload> implements Subscription, Reply<Output> {

        private final @Nullable WorkSpan span;

        /** Returns false if the request is never answered. */
        private final Predicate<Reply<Output>> request;

        @SuppressWarnings("NullAway.Init")
        private CoreSubscriber<? super Payload> requester;

        PendingReply(@Nullable WorkSpan span, Predicate<Reply<Output>> request) {
            this.span = span;
            this.request = request;
        }

        /** The library calls this once. */
        @Override
        public void subscribe(CoreSubscriber<? super Payload> subscriber) {
            requester = subscriber;
            subscriber.onSubscribe(this);
        }

        @Override
        public void request(long n) {
            if (!request.test(this)) {
                unanswered.release();
            }
        }

        @Override
        public void cancel() {}

        @Override
        public void answer(Output answer) {
            byte[] body = answer.toByteArray();
            requester.onNext(span == null ? ByteBufPayload.create(body) : Protocol.worked(body, span.end()));
            requester.onComplete();
            unanswered.release();
        }

        @Override
        public void error(String reason) {
            WorkSpan.end(span);
            requester.onError(new InvalidException(reason));
            unanswered.release();
        }
    }
}
