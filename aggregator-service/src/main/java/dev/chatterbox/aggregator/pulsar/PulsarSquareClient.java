package dev.chatterbox.aggregator.pulsar;

import dev.chatterbox.aggregator.client.CallLimits;
import dev.chatterbox.aggregator.client.CorrelatedClient;
import dev.chatterbox.aggregator.client.MessageLimit;
import dev.chatterbox.aggregator.client.SquareRequest;
import dev.chatterbox.connection.ErrorHeaders;
import dev.chatterbox.pulsar.Pulsar;
import dev.chatterbox.rows.Row;
import dev.chatterbox.transport.Exchange;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.pulsar.PulsarVersion;
import org.apache.pulsar.client.api.Message;
import org.apache.pulsar.client.api.PulsarClientException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * Request-reply over Pulsar: a message to the topic of requests that names, in properties, a correlation id and this
 * aggregator's own topic of replies. Both are stored; what is sent is not waited for, for the reply says more. Replies
 * arrive on the library's listener thread.
 */
class PulsarSquareClient extends CorrelatedClient<PulsarRequester> {

    /** What a message takes besides its body at the most. */
    private static final int FRAME = 1_024;

    private static final int MAX_MESSAGE_SIZE = 5 << 20;

    private static final MessageLimit LIMIT = new MessageLimit(
            MAX_MESSAGE_SIZE - FRAME, "maxMessageSize of %d less %d".formatted(MAX_MESSAGE_SIZE, FRAME));

    private static final String CHECK_DELAY = "managedLedgerNewEntriesCheckDelayInMillis";

    private final PulsarSettings settings;
    private final List<String> topics;
    private final String replyTopic;
    private final String subscription;
    private final PulsarAdmin admin;

    /** The broker's, once it has sent them. */
    private volatile JsonNode brokerSettings = JsonNodeFactory.instance.objectNode();

    PulsarSquareClient(Row row, PulsarSettings settings, CallLimits limits, MeterRegistry meters) {
        super(
                row.name(),
                limits,
                meters,
                Pulsar.broker(settings.url()),
                "no responder takes requests from the topic " + row.address("topic"),
                Duration.ofSeconds(2));
        this.settings = settings;
        String topic = row.address("topic");
        topics = row.exchanges().contains(Exchange.BATCH) ? List.of(topic, Pulsar.batches(topic)) : List.of(topic);
        replyTopic = "%s.replies.%s".formatted(topic, UUID.randomUUID());
        subscription = row.address("subscription");
        admin = new PulsarAdmin(settings.adminUrl());
    }

    @Override
    protected PulsarRequester open() throws PulsarClientException {
        PulsarRequester requester = PulsarRequester.open(settings, topics, replyTopic, this::replied);
        admin.settings().subscribe(found -> brokerSettings = found, error -> {});
        return requester;
    }

    @Override
    protected void send(PulsarRequester requester, long correlationId, SquareRequest request) {
        requester.send(correlationId, request).whenComplete((stored, error) -> {
            if (error != null) {
                fail(correlationId, unavailable());
            }
        });
    }

    private void replied(Message<byte[]> reply) {
        replied(
                correlationId(reply.getProperty(Pulsar.CORRELATION_ID), 0),
                reply,
                (request, received) -> request.read(received.getProperty(ErrorHeaders.REASON), received.getData()));
    }

    @Override
    protected int responders(PulsarRequester requester) throws Exception {
        return admin.consumers(topics.get(0), subscription).toFuture().get();
    }

    @Override
    public MessageLimit messageLimit() {
        return LIMIT;
    }

    @Override
    public Map<String, Object> settings() {
        return Map.of(
                "url",
                settings.url(),
                "version",
                "pulsar-client " + PulsarVersion.getVersion(),
                "batching",
                settings.batching().isZero() ? "none" : settings.batching().toMillis() + " ms",
                // The broker's, and what decides how long a lone call takes.
                CHECK_DELAY,
                brokerSettings.path(CHECK_DELAY).asString("not known yet"));
    }
}
