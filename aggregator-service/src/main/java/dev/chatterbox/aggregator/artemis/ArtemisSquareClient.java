package dev.chatterbox.aggregator.artemis;

import dev.chatterbox.aggregator.client.CallLimits;
import dev.chatterbox.aggregator.client.CorrelatedClient;
import dev.chatterbox.aggregator.client.MessageLimit;
import dev.chatterbox.aggregator.client.SquareRequest;
import dev.chatterbox.artemis.ArtemisConnection;
import dev.chatterbox.connection.ErrorHeaders;
import dev.chatterbox.rows.Row;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.utils.VersionLoader;

/**
 * Request-reply over Artemis' core client: a message to the queue of requests that names, in the properties of JMS, a
 * correlation id, which is a number here, and the temporary queue of this aggregator. A request that nobody has taken
 * at its deadline expires in the broker. Replies arrive on the receiving session's thread.
 */
class ArtemisSquareClient extends CorrelatedClient<ArtemisRequester> {

    /** Larger ones travel in parts, through files of the broker, which the responder does not take. */
    static final MessageLimit LIMIT = new MessageLimit(100_000, "minLargeMessageSize of 102400 less what it encodes");

    private final ArtemisSettings settings;
    private final String queue;

    ArtemisSquareClient(Row row, ArtemisSettings settings, CallLimits limits, MeterRegistry meters) {
        super(
                row.name(),
                limits,
                meters,
                "the Artemis broker at " + settings.url(),
                "no responder takes requests from the queue " + row.address("queue"),
                Duration.ofSeconds(2));
        this.settings = settings;
        queue = row.address("queue");
    }

    @Override
    protected ArtemisRequester open() throws ActiveMQException {
        return ArtemisRequester.open(settings.url(), queue, this::replied);
    }

    @Override
    protected void send(ArtemisRequester requester, long correlationId, SquareRequest request)
            throws ActiveMQException {
        requester.send(
                correlationId,
                request.body(),
                settings.durable(),
                request.timeout().toMillis());
    }

    private void replied(ClientMessage reply) {
        if (reply.getCorrelationID() instanceof Long correlationId) {
            byte[] body = ArtemisConnection.body(reply);
            String error = reply.getStringProperty(ErrorHeaders.REASON);
            replied(correlationId, body, (request, received) -> request.read(error, received));
        } else {
            unmatched();
        }
    }

    @Override
    protected int responders(ArtemisRequester requester) throws ActiveMQException {
        return requester.responders();
    }

    @Override
    public MessageLimit messageLimit() {
        return LIMIT;
    }

    @Override
    public Map<String, Object> settings() {
        boolean durable = settings.durable();
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("url", settings.url());
        shown.put("version", "artemis-core-client " + VersionLoader.getVersion().getFullVersion());
        shown.put("requests", durable ? "durable, in the NIO journal" : "in the broker's memory");
        shown.put(
                "delivery",
                durable ? "stored on file, at least once" : "nothing stored; given to another where a responder dies");
        shown.put("synced to disk", durable ? "before a request is delivered" : "never");
        return shown;
    }
}
