package dev.chatterbox.aggregator.pulsar;

import dev.chatterbox.aggregator.client.CallException;
import dev.chatterbox.aggregator.client.CallLimits;
import dev.chatterbox.aggregator.client.ClientSettings;
import dev.chatterbox.aggregator.client.MessageLimit;
import dev.chatterbox.aggregator.client.Outcome;
import dev.chatterbox.aggregator.client.PendingCalls;
import dev.chatterbox.aggregator.client.SquareClient;
import dev.chatterbox.aggregator.client.SquareReply;
import dev.chatterbox.aggregator.client.SquareRequest;
import dev.chatterbox.rows.Row;
import dev.chatterbox.transport.Exchange;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.pulsar.PulsarVersion;
import org.apache.pulsar.client.api.Message;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * Request-reply over Pulsar: a message to the topic of requests that names, in properties, a correlation id and this
 * aggregator's own topic of replies. Both are stored; what is sent is not waited for, for the reply says more. Replies
 * arrive on the library's listener thread.
 */
class PulsarSquareClient implements SquareClient {

    private static final String CHECK_DELAY = "managedLedgerNewEntriesCheckDelayInMillis";

    private final PulsarSettings settings;
    private final List<String> topics;
    private final String subscription;
    private final PulsarAdmin admin;
    private final PulsarLink link;
    private final PendingCalls pending;
    private final PendingCalls.Sender sender = this::send;

    /** The broker's, once it has told them. */
    private volatile JsonNode brokerSettings = JsonNodeFactory.instance.objectNode();

    PulsarSquareClient(Row row, ClientSettings told, CallLimits limits, MeterRegistry meters) {
        settings = told.as(PulsarSettings.class);
        String topic = row.address("topic");
        topics = row.exchanges().contains(Exchange.BATCH) ? List.of(topic, topic + ".batch") : List.of(topic);
        subscription = row.address("subscription");
        pending = new PendingCalls(row.name(), limits.maxInFlight(), meters);
        admin = new PulsarAdmin(settings.adminUrl());
        link = new PulsarLink(settings, topics, this::replied, this::askForSettings, this::disconnected);
    }

    @Override
    public Mono<SquareReply> square(SquareRequest request) {
        return pending.call(request, sender);
    }

    private void send(long correlationId, SquareRequest request) {
        link.requireConnected().send(correlationId, request).whenComplete((stored, error) -> {
            if (error != null) {
                pending.fail(correlationId, link.unavailable());
            }
        });
    }

    /** Runs on the listener thread. */
    private void replied(Message<byte[]> reply) {
        long correlationId;
        try {
            correlationId = Long.parseLong(reply.getProperty(PulsarMessages.CORRELATION_ID), Character.MAX_RADIX);
        } catch (NumberFormatException e) {
            pending.unmatched();
            return;
        }
        pending.reply(correlationId, reply, PulsarMessages::read);
    }

    private void askForSettings() {
        admin.settings().subscribe(told -> brokerSettings = told, error -> {});
    }

    private void disconnected() {
        pending.failAll(link.unavailable());
    }

    @Override
    public Mono<Void> check() {
        return Mono.defer(() -> {
                    link.requireConnected();
                    return admin.consumers(topics.get(0), subscription);
                })
                .onErrorMap(error -> !(error instanceof CallException), error -> link.unavailable())
                .filter(consumers -> consumers > 0)
                .switchIfEmpty(Mono.error(() -> new CallException(
                        Outcome.UNAVAILABLE, "no responder takes requests from the topic " + topics.get(0))))
                .then();
    }

    boolean connected() {
        return link.connected();
    }

    int outstanding() {
        return pending.size();
    }

    @Override
    public MessageLimit messageLimit() {
        return PulsarMessages.LIMIT;
    }

    @Override
    public Map<String, Object> settings() {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("url", settings.url());
        shown.put("version", "pulsar-client " + PulsarVersion.getVersion());
        shown.put("requests", "a persistent topic with a Shared subscription");
        shown.put("replies", "a persistent topic of this aggregator's own, by a reader from the latest on");
        shown.put(
                "batching",
                settings.batching().isZero() ? "none" : settings.batching().toMillis() + " ms");
        // The broker's, and what decides how long a lone call takes.
        shown.put(CHECK_DELAY, brokerSettings.path(CHECK_DELAY).asString("not told by the broker"));
        shown.put("connections", 1);
        shown.put("delivery", "stored, at least once");
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
}
