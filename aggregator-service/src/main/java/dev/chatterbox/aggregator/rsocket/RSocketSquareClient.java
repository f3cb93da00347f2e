package dev.chatterbox.aggregator.rsocket;

import dev.chatterbox.aggregator.client.CallLimits;
import dev.chatterbox.aggregator.client.ClientSettings;
import dev.chatterbox.aggregator.client.PendingCalls;
import dev.chatterbox.aggregator.client.SquareClient;
import dev.chatterbox.aggregator.client.SquareReply;
import dev.chatterbox.aggregator.client.SquareRequest;
import dev.chatterbox.rows.Row;
import io.micrometer.core.instrument.MeterRegistry;
import io.rsocket.Payload;
import io.rsocket.RSocket;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;

/**
 * Request-response over one connection to each square service, without a timer of their own: deadlines stand in
 * {@link PendingCalls}, as for every transport. Replies arrive on Netty's event loops, a deadline's error on Reactor's
 * timer.
 */
class RSocketSquareClient implements SquareClient {

    private final RSocketSettings settings;
    private final RSocketLink link;
    private final PendingCalls pending;
    private final PendingCalls.Sender sender = this::send;

    RSocketSquareClient(Row row, ClientSettings told, CallLimits limits, MeterRegistry meters) {
        settings = told.as(RSocketSettings.class);
        link = new RSocketLink(settings);
        pending = new PendingCalls(row.name(), limits.maxInFlight(), meters);
    }

    @Override
    public Mono<SquareReply> square(SquareRequest request) {
        return pending.call(request, sender);
    }

    private void send(long correlationId, SquareRequest request) {
        Call call = new Call(correlationId, request);
        RSocket connection = link.open(correlationId);
        if (connection == null) {
            link.opening().subscribe(call::sendOver, call::onError);
        } else {
            call.sendOver(connection);
        }
        // Last, for it can be cancelled only now; where it has ended meanwhile, that does nothing.
        pending.disposeWithCall(correlationId, call);
    }

    @Override
    public Mono<Void> check() {
        return link.check();
    }

    boolean connected() {
        return link.connected();
    }

    int outstanding() {
        return pending.size();
    }

    @Override
    public Map<String, Object> settings() {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("targets", String.join(",", settings.targets()));
        shown.put("library", RSocketMessages.version());
        shown.put("protocol", "TCP without TLS");
        shown.put("connections", "1 to each address");
        shown.put("payloads", "zero copy");
        shown.put("keep-alive", settings.keepAlive().toMillis() + " ms");
        shown.put("max lifetime", settings.maxLifetime().toMillis() + " ms");
        shown.put("resume", "off");
        shown.put("lease", "off");
        shown.put("retries", "off");
        shown.put("delivery", "direct, at most once");
        return shown;
    }

    @Override
    public void start() {
        link.start();
    }

    @Override
    public void stop() {
        pending.close();
        link.stop();
    }

    /** One call: the subscriber of its reply, and what is disposed of where it is given up. */
    private final class Call implements CoreSubscriber<Payload>, Disposable {

        /** A connection may break while a call on it is cancelled: Reactor would log the error, which is nobody's. */
        private static final Context CONTEXT =
                Context.of("reactor.onErrorDropped.local", (Consumer<Throwable>) dropped -> {});

        private final long correlationId;
        private final SquareRequest request;
        private volatile @Nullable Subscription subscription;
        private volatile boolean disposed;
        private boolean replied;

        Call(long correlationId, SquareRequest request) {
            this.correlationId = correlationId;
            this.request = request;
        }

        void sendOver(RSocket connection) {
            if (!disposed) {
                connection.requestResponse(RSocketMessages.payload(request)).subscribe(this);
            }
        }

        @Override
        public Context currentContext() {
            return CONTEXT;
        }

        /** Sends it, unless it is given up at this moment; whatever was not sent is released by being cancelled. */
        @Override
        public void onSubscribe(Subscription sending) {
            subscription = sending;
            if (disposed) {
                sending.cancel();
            } else {
                sending.request(1);
            }
        }

        @Override
        public void onNext(Payload reply) {
            replied = true;
            pending.reply(correlationId, RSocketMessages.body(reply), SquareRequest::read);
        }

        @Override
        public void onError(Throwable error) {
            if (!disposed) {
                pending.fail(correlationId, RSocketMessages.callException(error));
            }
        }

        @Override
        public void onComplete() {
            if (!replied) {
                pending.fail(correlationId, RSocketMessages.unreadable("it has no payload"));
            }
        }

        @Override
        public boolean isDisposed() {
            return disposed;
        }

        @Override
        public void dispose() {
            disposed = true;
            Subscription sent = subscription;
            if (sent != null) {
                sent.cancel();
            }
        }
    }
}
