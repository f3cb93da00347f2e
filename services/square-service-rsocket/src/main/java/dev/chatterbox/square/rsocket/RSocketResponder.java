package dev.chatterbox.square.rsocket;

import dev.chatterbox.proto.Output;
import dev.chatterbox.square.common.Reply;
import dev.chatterbox.square.common.SquareResponder;
import io.netty.buffer.ByteBufUtil;
import io.rsocket.ConnectionSetupPayload;
import io.rsocket.Payload;
import io.rsocket.RSocket;
import io.rsocket.core.RSocketServer;
import io.rsocket.exceptions.ApplicationErrorException;
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
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;
import reactor.netty.tcp.TcpServer;

/**
 * Answers request-response on a port of its own, on the event loop that read the request. It listens before the
 * actuator does, so whoever finds it healthy can call it.
 */
@Component
class RSocketResponder implements SmartLifecycle {

    private static final Logger log = LoggerFactory.getLogger(RSocketResponder.class);

    /** For the requests that wait here when it stops; shorter than spring.lifecycle.timeout-per-shutdown-phase. */
    private static final Duration DRAIN = Duration.ofSeconds(2);

    /** For the last answers to leave. */
    private static final Duration CLOSING = Duration.ofSeconds(1);

    private final SquareResponder responder;
    private final RSocketServer server;
    private final TcpServerTransport transport;
    private final Set<RSocket> requesters = ConcurrentHashMap.newKeySet();

    /** One more than there are requests that will be answered, until it stops. */
    private final AtomicInteger unanswered = new AtomicInteger(1);

    private final CountDownLatch drained = new CountDownLatch(1);
    private volatile @Nullable CloseableChannel listening;
    private volatile boolean stopping;

    RSocketResponder(
            SquareResponder responder,
            @Value("${server.address}") String address,
            @Value("${chatterbox.rsocket-port}") int port) {
        this.responder = responder;
        server = RSocketServer.create(this::connected)
                // What comes is not copied before it is looked at, but must be released then.
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
        return Mono.just(new Squares(Route.canBeNamed(setup)));
    }

    @Override
    public void start() {
        listening = server.bindNow(transport);
    }

    /** Takes no more requests, answers those that wait, closes. */
    @Override
    public void stop() {
        CloseableChannel bound = listening;
        if (bound == null) {
            return;
        }
        listening = null;
        bound.dispose();
        stopping = true;
        answered();
        try {
            if (!drained.await(DRAIN.toMillis(), TimeUnit.MILLISECONDS)) {
                log.warn("{} requests were not answered before the end", unanswered);
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

    private void answered() {
        if (unanswered.decrementAndGet() == 0) {
            drained.countDown();
        }
    }

    @Override
    public boolean isRunning() {
        return listening != null;
    }

    @Override
    public int getPhase() {
        return WebServerApplicationContext.START_STOP_LIFECYCLE_PHASE - 1;
    }

    /** The requests of one connection. */
    private final class Squares implements RSocket {

        private final boolean routed;

        Squares(boolean routed) {
            this.routed = routed;
        }

        @Override
        public Mono<Payload> requestResponse(Payload request) {
            unanswered.incrementAndGet();
            try {
                return answer(request);
            } finally {
                request.release();
            }
        }

        private Mono<Payload> answer(Payload request) {
            if (stopping) {
                answered();
                return Mono.error(new RejectedException("the square service is stopping"));
            }
            String route;
            try {
                route = routed ? Route.of(request) : Route.SQUARE;
            } catch (RuntimeException e) {
                return refusal("the metadata cannot be read: " + e.getMessage());
            }
            return switch (route) {
                case Route.SQUARE -> {
                    byte[] message = ByteBufUtil.getBytes(request.data());
                    yield new Answer(reply -> responder.answer(message, reply));
                }
                case Route.HEALTH -> {
                    answered();
                    yield Mono.empty();
                }
                default ->
                    refusal("the route must be %s or %s, but it is %s".formatted(Route.SQUARE, Route.HEALTH, route));
            };
        }

        private Mono<Payload> refusal(String reason) {
            return new Answer(reply -> {
                responder.refuse(reason, reply);
                return true;
            });
        }
    }

    /**
     * The answer to one request, sent as soon as the responder has it. Where the requester has given up meanwhile, the
     * library releases it.
     */
    private final class Answer extends Mono<Payload> implements Subscription, Reply<Output> {

        /** False where it is never answered. */
        private final Predicate<Reply<Output>> request;

        @SuppressWarnings("NullAway.Init")
        private CoreSubscriber<? super Payload> requester;

        Answer(Predicate<Reply<Output>> request) {
            this.request = request;
        }

        /** Once, by the library. */
        @Override
        public void subscribe(CoreSubscriber<? super Payload> subscriber) {
            requester = subscriber;
            subscriber.onSubscribe(this);
        }

        @Override
        public void request(long n) {
            if (!request.test(this)) {
                answered();
            }
        }

        @Override
        public void cancel() {}

        @Override
        public void answer(Output answer) {
            requester.onNext(ByteBufPayload.create(answer.toByteArray()));
            requester.onComplete();
            answered();
        }

        @Override
        public void error(int code, String reason) {
            requester.onError(code == 400 ? new InvalidException(reason) : new ApplicationErrorException(reason));
            answered();
        }
    }
}
