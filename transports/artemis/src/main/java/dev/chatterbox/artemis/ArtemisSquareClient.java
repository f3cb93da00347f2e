package dev.chatterbox.artemis;

import dev.chatterbox.client.CallLimits;
import dev.chatterbox.client.CorrelatedClient;
import dev.chatterbox.client.MessageLimit;
import dev.chatterbox.client.SquareRequest;
import dev.chatterbox.connection.BrokerConnection;
import dev.chatterbox.connection.Opening;
import dev.chatterbox.traces.Traces;
import dev.chatterbox.variants.Variant;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.client.ClientConsumer;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.api.core.client.ClientProducer;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.apache.activemq.artemis.utils.VersionLoader;

/**
 * Request-reply over Artemis' core client. A message to the request queue names, in JMS properties, a correlation id,
 * which is a number here, and this aggregator's temporary queue. A request that nobody has taken at its deadline
 * expires in the broker. Replies arrive on the receiving session's thread.
 */
class ArtemisSquareClient extends CorrelatedClient<ArtemisSquareClient.Requester> {

    /** Larger messages travel in parts, through files of the broker, and the responder refuses them. */
    static final MessageLimit LIMIT = new MessageLimit(100_000, "minLargeMessageSize of 102400 less what it encodes");

    private static final byte PRIORITY = 4;

    private final ArtemisSettings settings;
    private final String queue;

    ArtemisSquareClient(Variant variant, ArtemisSettings settings, CallLimits limits, MeterRegistry meters) {
        super(
                variant.name(),
                limits,
                meters,
                "the Artemis broker at " + ArtemisConnection.addresses(settings.url()),
                "no responder takes requests from the queue " + variant.address("queue"));
        this.settings = settings;
        queue = variant.address("queue");
    }

    @Override
    protected Requester open() throws Exception {
        // By default send() waits until the broker says that a durable message is stored.
        ArtemisConnection connection =
                ArtemisConnection.open(settings.url(), options -> options.setBlockOnDurableSend(false));
        return Opening.orClose(connection, () -> {
            ClientSession questions = connection.session();
            ArtemisConnection.makeQueue(questions, SimpleString.of(queue));
            // The broker acknowledges replies when it delivers them, because a reply is useless if its requester dies.
            ClientSession replies = connection.receivingSession(true);
            SimpleString replyTo = SimpleString.of(queue + ".replies." + UUID.randomUUID());
            replies.createQueue(QueueConfiguration.of(replyTo)
                    .setRoutingType(RoutingType.ANYCAST)
                    .setDurable(false)
                    .setTemporary(true));
            ClientConsumer receiver = replies.createConsumer(replyTo).setMessageHandler(this::replied);
            replies.start();
            ClientSession requests = connection.session();
            ClientProducer producer = requests.createProducer(SimpleString.of(queue));
            return new Requester(connection, replyTo, receiver, questions, requests, producer);
        });
    }

    /** The broker drops a request at its deadline, by the clocks of this machine and the broker's. */
    @Override
    protected void send(Requester requester, long correlationId, SquareRequest request) throws ActiveMQException {
        byte[] body = request.body();
        long now = System.currentTimeMillis();
        ClientMessage message = requester.requests.createMessage(
                Message.BYTES_TYPE, settings.durable(), now + request.timeout().toMillis(), now, PRIORITY);
        message.setReplyTo(requester.replyTo);
        message.setCorrelationID(correlationId);
        String parent = request.traceparent();
        if (parent != null) {
            message.putStringProperty(Traces.PARENT, parent);
        }
        message.getBodyBuffer().writeBytes(body);
        synchronized (requester.producer) {
            requester.producer.send(message);
        }
    }

    private void replied(ClientMessage reply) {
        if (reply.getCorrelationID() instanceof Long correlationId) {
            byte[] body = ArtemisConnection.body(reply);
            pending.reply(correlationId, body, (request, received) -> request.read(reply::getStringProperty, received));
        } else {
            pending.unmatched();
        }
    }

    @Override
    protected int responders(Requester requester) throws ActiveMQException {
        synchronized (requester.questions) {
            return requester.questions.queueQuery(SimpleString.of(queue)).getConsumerCount();
        }
    }

    @Override
    public MessageLimit messageLimit() {
        return LIMIT;
    }

    @Override
    public Map<String, Object> settings() {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("url", ArtemisConnection.addresses(settings.url()));
        shown.put("version", "artemis-core-client " + VersionLoader.getVersion().getFullVersion());
        shown.put("expiry", "at the deadline");
        if (settings.durable()) {
            shown.put("requests", "durable, in the journal");
            shown.put("delivery", "stored on file, at least once");
            shown.put("synced to disk", "before a request is delivered");
        } else {
            shown.put("requests", "in the broker's memory");
            shown.put("delivery", "nothing stored; given to another where a responder dies");
            shown.put("synced to disk", "never");
        }
        return shown;
    }

    /**
     * A connection with a temporary queue for replies. One session sends, one receives replies, and one queries the
     * broker. It sends requests without waiting for the broker. Safe for concurrent use.
     *
     * @param questions guarded by itself
     * @param requests guarded by {@code producer}
     */
    record Requester(
            ArtemisConnection connection,
            SimpleString replyTo,
            ClientConsumer receiver,
            ClientSession questions,
            ClientSession requests,
            ClientProducer producer)
            implements BrokerConnection {

        @Override
        public void awaitEnd() throws InterruptedException {
            connection.awaitEnd(receiver);
        }

        @Override
        public void close() {
            connection.close();
        }
    }
}
