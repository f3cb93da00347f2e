package dev.chatterbox.pulsar;

import static java.util.Map.entry;

import dev.chatterbox.client.CallLimits;
import dev.chatterbox.client.CorrelatedClient;
import dev.chatterbox.client.MessageLimit;
import dev.chatterbox.client.SquareRequest;
import dev.chatterbox.connection.BrokerConnection;
import dev.chatterbox.connection.Opening;
import dev.chatterbox.traces.Traces;
import dev.chatterbox.transport.CallMode;
import dev.chatterbox.variants.Variant;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.pulsar.PulsarVersion;
import org.apache.pulsar.client.api.Message;
import org.apache.pulsar.client.api.MessageId;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.PulsarClientException;
import org.apache.pulsar.client.api.Reader;
import org.apache.pulsar.client.api.TypedMessageBuilder;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * Request-reply over Pulsar. A message to the request topic names, in properties, a correlation id and this
 * aggregator's own reply topic. Both topics are stored. The client does not wait until a request is stored, because the
 * reply says more. Replies arrive on the library's listener thread.
 */
class PulsarSquareClient extends CorrelatedClient<PulsarSquareClient.Requester> {

    /** The most bytes that a message takes without its body. */
    private static final int FRAME = 1_024;

    private static final int MAX_MESSAGE_SIZE = 5 << 20;

    private static final MessageLimit LIMIT =
            new MessageLimit(MAX_MESSAGE_SIZE, "maxMessageSize of " + MAX_MESSAGE_SIZE).less(FRAME);

    /** How soon a broken connection is noticed. The library has no listener for that, and reconnects after 100 ms. */
    private static final long POLL_MILLIS = 50;

    private static final String CHECK_DELAY = "managedLedgerNewEntriesCheckDelayInMillis";

    private final PulsarSettings settings;
    private final List<String> topics;
    private final String replyTopic;
    private final String subscription;
    private final PulsarAdmin admin;

    /** The broker's own settings, once it has sent them. */
    private volatile JsonNode brokerSettings = JsonNodeFactory.instance.objectNode();

    PulsarSquareClient(Variant variant, PulsarSettings settings, CallLimits limits, MeterRegistry meters) {
        super(
                variant.name(),
                limits,
                meters,
                Pulsar.broker(settings.url()),
                "no responder takes requests from the topic " + variant.address("topic"));
        this.settings = settings;
        String topic = variant.address("topic");
        topics = variant.modes().contains(CallMode.BATCH) ? List.of(topic, Pulsar.batches(topic)) : List.of(topic);
        replyTopic = "%s.replies.%s".formatted(topic, UUID.randomUUID());
        subscription = variant.address("subscription");
        admin = new PulsarAdmin(settings.adminUrl());
    }

    @Override
    protected Requester open() throws Exception {
        PulsarClient client = Pulsar.client(settings.url());
        Requester requester = Opening.orClose(client::closeAsync, () -> requester(client));
        admin.settings().subscribe(current -> brokerSettings = current, error -> {});
        return requester;
    }

    /** Waits for the broker. */
    private Requester requester(PulsarClient client) throws PulsarClientException {
        // The reader has its own subscription, which begins at the latest message and ends with the connection.
        Reader<byte[]> reader = client.newReader()
                .topic(replyTopic)
                .startMessageId(MessageId.latest)
                .readerListener((from, reply) -> replied(reply))
                .create();
        List<Producer<byte[]>> producers = new ArrayList<>();
        for (String topic : topics) {
            producers.add(Pulsar.producer(client, topic, settings.batching())
                    // No timeout, after which sending would fail: each call has its own deadline.
                    .sendTimeout(0, TimeUnit.SECONDS)
                    .create());
        }
        return new Requester(client, reader, producers);
    }

    @Override
    protected void send(Requester requester, long correlationId, SquareRequest request) {
        TypedMessageBuilder<byte[]> message = requester
                .producers
                .get(request.batch() ? 1 : 0)
                .newMessage()
                .property(Pulsar.CORRELATION_ID, text(correlationId))
                .property(Pulsar.REPLY_TOPIC, replyTopic)
                .value(request.body());
        String parent = request.traceparent();
        if (parent != null) {
            message.property(Traces.PARENT, parent);
        }
        message.sendAsync().whenComplete((stored, error) -> {
            if (error != null) {
                pending.fail(correlationId, failure(error));
            }
        });
    }

    private void replied(Message<byte[]> reply) {
        pending.reply(
                correlationId(reply.getProperty(Pulsar.CORRELATION_ID), 0),
                reply,
                (request, received) -> request.read(received::getProperty, received.getData()));
    }

    @Override
    protected int responders(Requester requester) throws Exception {
        return admin.consumers(topics.get(0), subscription).toFuture().get();
    }

    @Override
    public MessageLimit messageLimit() {
        return LIMIT;
    }

    @Override
    public Map<String, Object> settings() {
        long batching = settings.batching().toMillis();
        return Map.ofEntries(
                entry("url", settings.url()),
                entry("version", "pulsar-client " + PulsarVersion.getVersion()),
                entry("batching", batching == 0 ? "none" : batching + " ms"),
                // A setting of the broker, which decides how long a lone call takes.
                entry(CHECK_DELAY, brokerSettings.path(CHECK_DELAY).asString("not known yet")));
    }

    /**
     * The objects that calls use until the connection to the broker breaks: a reader of this aggregator's reply topic,
     * and a producer for each request topic. The library would reconnect them, and would send unstored requests long
     * after their deadlines.
     */
    record Requester(PulsarClient client, Reader<byte[]> reader, List<Producer<byte[]>> producers)
            implements BrokerConnection {

        /** Ends with the first disconnection, from which the library may have recovered already. */
        @Override
        public void awaitEnd() throws InterruptedException {
            while (reader.isConnected()
                    && producers.stream()
                            .allMatch(producer ->
                                    producer.isConnected() && producer.getLastDisconnectedTimestamp() == 0)) {
                TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
            }
        }

        /** Does not wait for the broker. Without a connection, unstored requests fail on this thread. */
        @Override
        public void close() {
            client.closeAsync();
        }
    }
}
