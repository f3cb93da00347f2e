package dev.chatterbox.nats;

import dev.chatterbox.client.CallException;
import dev.chatterbox.client.CallLimits;
import dev.chatterbox.client.CorrelatedClient;
import dev.chatterbox.client.MessageLimit;
import dev.chatterbox.client.PendingCalls;
import dev.chatterbox.client.SquareReply;
import dev.chatterbox.client.SquareRequest;
import dev.chatterbox.client.StockCalls;
import dev.chatterbox.variants.Variant;
import io.micrometer.core.instrument.MeterRegistry;
import io.nats.client.Connection;
import io.nats.client.JetStream;
import io.nats.client.JetStreamApiException;
import io.nats.client.Nats;
import io.nats.client.impl.Headers;
import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * What jnats' documentation shows first, with the library's defaults: {@code Nats.connect(url)} and the synchronous
 * {@code JetStream.publish()}, which waits for the acknowledgement. It runs on threads for blocking calls, as Reactor's
 * documentation says. Neither documentation describes request-reply over a stream, so replies come to an
 * inbox of our own, on its dispatcher thread.
 */
class JetStreamStockSquareClient extends NatsRequestClient {

    private final JetStreamSettings settings;
    private final String subject;
    private final PendingCalls pending;
    private final PendingCalls.Sender sender = this::send;
    private final Scheduler publishing;

    /** Of the connection, which is made once; null before that. */
    private volatile @Nullable Publisher publisher;

    record Publisher(JetStream jetStream, ReplyAddress replies) {}

    JetStreamStockSquareClient(Variant variant, JetStreamSettings settings, CallLimits limits, MeterRegistry meters) {
        super(new NatsEndpoint(variant, settings.access()), null);
        this.settings = settings;
        subject = endpoint.subject() + "." + settings.storage();
        publishing = StockCalls.threads(variant.name());
        pending = PendingCalls.start(variant.name(), limits.maxInFlight(), meters);
    }

    @Override
    Connection make(Connection opened) throws IOException {
        publisher = new Publisher(
                opened.jetStream(),
                ReplyAddress.inbox(opened, (reply, id) -> pending.reply(id, reply, NatsEndpoint::read)));
        return opened;
    }

    /** Null while no connection is open. */
    @Nullable
    Publisher publisher() {
        return open() == null ? null : publisher;
    }

    @Override
    public Mono<SquareReply> square(SquareRequest request) {
        return pending.call(request, sender);
    }

    private void send(long correlationId, SquareRequest request) {
        Publisher current = publisher();
        if (current == null) {
            throw CallException.unavailable(disconnectedMessage());
        }
        // The publication waits for a thread, and nobody needs it once its call has ended. One that has begun goes on,
        // because an interrupt in the library's first request would leave the connection without an inbox.
        Disposable ended = Disposables.single();
        pending.disposeWithCall(correlationId, ended);
        publishing.schedule(() -> publish(current, correlationId, request, ended));
    }

    private void publish(Publisher current, long correlationId, SquareRequest request, Disposable ended) {
        if (ended.isDisposed()) {
            return;
        }
        try {
            Headers headers = current.replies.of(CorrelatedClient.text(correlationId));
            current.jetStream.publish(subject, NatsEndpoint.traced(request, headers), request.body());
        } catch (IOException | JetStreamApiException | RuntimeException e) {
            pending.fail(correlationId, JetStreams.notStored("request", e));
        }
    }

    @Override
    public MessageLimit messageLimit() {
        return super.messageLimit().less(JetStreams.HEADERS);
    }

    @Override
    public Map<String, Object> settings() {
        Map<String, Object> shown = super.settings();
        shown.put("version", "jnats " + Nats.CLIENT_VERSION);
        shown.put("publishing threads", Schedulers.DEFAULT_BOUNDED_ELASTIC_SIZE);
        settings.showDelivery(shown);
        return shown;
    }

    @Override
    public void stop() {
        pending.close();
        super.stop();
        publishing.dispose();
    }
}
