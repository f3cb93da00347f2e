package dev.chatterbox.nats;

import dev.chatterbox.client.CallException;
import dev.chatterbox.client.CallLimits;
import dev.chatterbox.client.MessageLimit;
import dev.chatterbox.client.SquareRequest;
import dev.chatterbox.variants.Variant;
import io.micrometer.core.instrument.MeterRegistry;
import io.nats.client.Connection;
import io.nats.client.Message;
import io.nats.client.Nats;
import io.nats.client.impl.Headers;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.ObjLongConsumer;

/**
 * Requests that JetStream stores. Each gets an acknowledgement (PubAck), and names a {@link ReplyAddress} in a header.
 * Our own correlation id matches both, because jnats' {@code publishAsync} is a {@code request()}, with a future and a
 * map entry for each message. A call ends with its reply, which says more than that the request was stored. An
 * acknowledgement that the request was not stored ends it too. If none comes, the call's deadline ends it.
 *
 * <p>Replies and acknowledgements arrive on a dispatcher thread each.
 */
class JetStreamSquareClient extends NatsClient<JetStreamSquareClient.Addresses> {

    private final Variant variant;
    private final JetStreamSettings settings;
    private final String subject;
    private final String noStream;

    /** @param acks the subject of acknowledgements, less the correlation id */
    record Addresses(String acks, ReplyAddress replies) {}

    JetStreamSquareClient(Variant variant, JetStreamSettings settings, CallLimits limits, MeterRegistry meters) {
        super(variant, settings.access(), limits, meters);
        this.variant = variant;
        this.settings = settings;
        subject = endpoint.subject() + "." + settings.storage();
        noStream = "no stream stores the subject %s: no responder has been started yet, or its servers have no leader"
                .formatted(subject);
    }

    @Override
    Addresses make(Connection connection) throws IOException {
        String acks = connection.createInbox() + ".";
        connection.createDispatcher(ack -> acknowledged(ack, acks.length())).subscribe(acks + "*");
        ObjLongConsumer<Message> replied = (reply, id) -> pending.reply(id, reply, NatsEndpoint::read);
        return new Addresses(
                acks,
                switch (settings.replies()) {
                    case CORE -> ReplyAddress.inbox(connection, replied);
                    case STREAM -> ReplyAddress.stream(connection, variant, settings.storage(), replied);
                });
    }

    @Override
    protected void send(NatsConnection<Addresses> open, long correlationId, SquareRequest request) {
        String id = text(correlationId);
        Addresses addresses = open.setup();
        Headers headers = NatsEndpoint.traced(request, addresses.replies().of(id));
        open.connection().publish(subject, addresses.acks() + id, headers, request.body());
    }

    private void acknowledged(Message ack, int idOffset) {
        try {
            JetStreams.requireStored(ack, "request", noStream);
        } catch (CallException e) {
            pending.fail(correlationId(ack.getSubject(), idOffset), e);
        }
    }

    @Override
    public MessageLimit messageLimit() {
        return super.messageLimit().less(JetStreams.HEADERS);
    }

    @Override
    public Map<String, Object> settings() {
        boolean stored = settings.replies() == JetStreamSettings.ReplyPath.STREAM;
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("server", settings.server());
        shown.put("version", "jnats " + Nats.CLIENT_VERSION);
        shown.put("requests", "a work-queue stream, storage " + settings.storage());
        shown.put("replies", stored ? "a stream, storage " + settings.storage() : "core NATS, not stored");
        shown.put("acknowledged", stored ? "requests and replies" : "requests");
        settings.showDelivery(shown);
        return shown;
    }
}
