package dev.chatterbox.aggregator.artemis;

import dev.chatterbox.aggregator.client.CallLimits;
import dev.chatterbox.aggregator.client.ClientSettings;
import dev.chatterbox.aggregator.client.MessageLimit;
import dev.chatterbox.aggregator.client.PendingCalls;
import dev.chatterbox.aggregator.client.SquareClient;
import dev.chatterbox.aggregator.client.SquareReply;
import dev.chatterbox.aggregator.client.SquareRequest;
import dev.chatterbox.rows.Row;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.activemq.artemis.api.core.ActiveMQBuffer;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.utils.VersionLoader;
import reactor.core.publisher.Mono;

/**
 * Request-reply over Artemis' core client: a message to the queue of requests that names, in the properties of JMS, a
 * correlation id, which is a number here, and the temporary queue of this aggregator. A request that nobody has taken
 * at its deadline expires in the broker. Replies arrive on the receiving session's thread.
 */
class ArtemisSquareClient implements SquareClient {

    private final ArtemisSettings settings;
    private final ArtemisLink link;
    private final PendingCalls pending;
    private final PendingCalls.Sender sender = this::send;

    ArtemisSquareClient(Row row, ClientSettings told, CallLimits limits, MeterRegistry meters) {
        settings = told.as(ArtemisSettings.class);
        pending = new PendingCalls(row.name(), limits.maxInFlight(), meters);
        link = new ArtemisLink(settings.url(), row.address("queue"), this::replied, this::disconnected);
    }

    @Override
    public Mono<SquareReply> square(SquareRequest request) {
        return pending.call(request, sender);
    }

    private void send(long correlationId, SquareRequest request) {
        long now = System.currentTimeMillis();
        try {
            link.requireConnected()
                    .send(
                            correlationId,
                            request.body(),
                            settings.durable(),
                            now,
                            now + request.timeout().toMillis());
        } catch (ActiveMQException | IllegalStateException e) {
            // The connection went away just now.
            throw link.unavailable();
        }
    }

    /** Runs on the receiving session's thread. */
    private void replied(ClientMessage reply) {
        if (!(reply.getCorrelationID() instanceof Long correlationId)) {
            pending.unmatched();
            return;
        }
        ActiveMQBuffer buffer = reply.getBodyBuffer();
        byte[] body = new byte[buffer.readableBytes()];
        buffer.readBytes(body);
        String error = reply.getStringProperty(ArtemisMessages.ERROR);
        pending.reply(correlationId, body, (request, received) -> ArtemisMessages.read(request, error, received));
    }

    /** The queue of replies ends with the connection. */
    private void disconnected() {
        pending.failAll(link.unavailable());
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
    public MessageLimit messageLimit() {
        return ArtemisMessages.LIMIT;
    }

    @Override
    public Map<String, Object> settings() {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("url", settings.url());
        shown.put("version", "artemis-core-client " + VersionLoader.getVersion().getFullVersion());
        shown.put("requests", settings.durable() ? "durable, in the NIO journal" : "in the broker's memory");
        shown.put("replies", "in the broker's memory, pre-acknowledged: at most once");
        shown.put("connections", "1, with 3 sessions");
        shown.put("producer window", "none");
        shown.put(
                "delivery",
                settings.durable()
                        ? "stored on file, at least once"
                        : "nothing stored; given to another where a responder dies");
        shown.put("synced to disk", settings.durable() ? "before a request is delivered" : "never");
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
