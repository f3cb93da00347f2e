package dev.chatterbox.rabbitmq;

import static java.util.Map.entry;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Delivery;
import com.rabbitmq.client.Return;
import com.rabbitmq.client.ReturnCallback;
import com.rabbitmq.client.impl.ClientVersion;
import dev.chatterbox.client.CallException;
import dev.chatterbox.client.CallLimits;
import dev.chatterbox.client.CorrelatedClient;
import dev.chatterbox.client.Deviation;
import dev.chatterbox.client.SquareReply;
import dev.chatterbox.client.SquareRequest;
import dev.chatterbox.connection.BrokerConnection;
import dev.chatterbox.connection.Daemon;
import dev.chatterbox.traces.Traces;
import dev.chatterbox.variants.Variant;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Request-reply over AMQP 0-9-1 with the library alone. Publisher confirms are off, because the reply says more, unless
 * the variant stores everything: then a request that the server refuses to store ends its call at once. A request has
 * its deadline as expiration, after which the server drops it, and the server returns it if no queue takes it; a lean
 * request has neither.
 */
class RabbitMqSquareClient extends CorrelatedClient<RabbitMqSquareClient.Requester> {

    private static final String DIRECT_REPLY_TO = "amq.rabbitmq.reply-to";

    private final String name;
    private final String queue;
    private final RabbitMqServer server;
    private final boolean direct;
    private final boolean durable;
    private final boolean lean;
    private final int maxInFlight;

    RabbitMqSquareClient(Variant variant, RabbitMqSettings settings, CallLimits limits, MeterRegistry meters) {
        super(variant.name(), limits, meters, settings.server().toString(), noResponder(variant.address("queue")));
        name = "aggregator-service " + variant.name();
        queue = variant.address("queue");
        server = settings.server();
        direct = settings.replies() == RabbitMqSettings.ReplyPath.DIRECT;
        durable = settings.durable();
        lean = settings.lean();
        maxInFlight = limits.maxInFlight();
    }

    static String noResponder(String queue) {
        return "no responder takes requests from the queue " + queue;
    }

    @Override
    protected Requester open() throws IOException, TimeoutException {
        return server.connect(name, this::open);
    }

    private Requester open(RabbitMqConnection connection) throws IOException, TimeoutException {
        Channel receiving = connection.channel();
        Channel channel =
                direct ? receiving : connection.publishing(name + " requests").channel();
        String replyTo = direct ? DIRECT_REPLY_TO : replyQueue(receiving);
        // The server takes no acknowledgement of a reply that it hands over past queues.
        boolean stored = durable && !direct;
        receiving.basicConsume(
                replyTo,
                !stored,
                (consumer, reply) -> {
                    replied(reply);
                    if (stored) {
                        receiving.basicAck(reply.getEnvelope().getDeliveryTag(), false);
                    }
                },
                consumer -> connection.end());
        Requester requester = new Requester(connection, channel, replyTo);
        if (durable) {
            channel.confirmSelect();
            channel.addConfirmListener(
                    (number, andEarlier) ->
                            requester.settled(number, andEarlier).clear(),
                    requester::refused);
        }
        channel.addReturnListener((ReturnCallback) this::returned);
        requester.publisher.start();
        return requester;
    }

    /** A queue of one connection ends with it, and so stores nothing: a durable one belongs to all. */
    private String replyQueue(Channel receiving) throws IOException {
        String name = durable ? queue + ".replies." + UUID.randomUUID() : "";
        // One that nobody has used since the server's start does not end by itself.
        Map<String, Object> expires = durable ? Map.of("x-expires", RabbitMqServer.EXPIRES_MILLIS) : Map.of();
        return receiving.queueDeclare(name, durable, !durable, true, expires).getQueue();
    }

    @Override
    protected void send(Requester requester, long correlationId, SquareRequest request) {
        long deadline = System.nanoTime() + request.timeout().toNanos();
        if (!requester.waiting.offer(new Waiting(correlationId, request, deadline))) {
            throw CallException.unavailable(
                    "%d requests wait for %s already".formatted(requester.waiting.size(), server));
        }
    }

    private void replied(Delivery reply) {
        pending.reply(
                correlationId(reply.getProperties().getCorrelationId(), 0),
                reply,
                (request, received) -> read(request, received.getProperties().getHeaders(), received.getBody()));
    }

    private void returned(Return request) {
        pending.fail(correlationId(request.getProperties().getCorrelationId(), 0), noResponder());
    }

    /** @throws CallException the reply is an error reply, cannot be read, or is not right */
    static SquareReply read(SquareRequest request, @Nullable Map<String, Object> headers, byte[] body) {
        return request.read(name -> RabbitMqReply.header(headers, name), body);
    }

    @Override
    protected int responders(Requester requester) throws Exception {
        return requester.connection.consumers(queue);
    }

    @Override
    public Set<Deviation> deviations() {
        return lean ? Set.of(Deviation.WAITS_FOR_A_RESPONDER) : Set.of();
    }

    @Override
    public Map<String, Object> settings() {
        String replies = durable ? "a durable queue" : "an exclusive queue";
        return Map.ofEntries(
                entry("server", server.address()),
                entry("version", "amqp-client " + ClientVersion.VERSION),
                entry("replies", direct ? "direct reply-to, past queues" : replies),
                entry("connections", direct ? 1 : 2),
                entry("requests", lean ? "without expiration, not mandatory" : "expire at the deadline, mandatory"));
    }

    /** @param deadline by {@link System#nanoTime} */
    private record Waiting(long correlationId, SquareRequest request, long deadline) {}

    /**
     * A connection for requests and one for replies, which come to an exclusive queue; or one channel for both, if
     * replies come without a queue (direct reply-to). Requests are published on a thread of their own, because the
     * library writes to the socket on the publishing thread, which blocks while the server does not read. Thread-safe.
     */
    final class Requester implements BrokerConnection {

        private final RabbitMqConnection connection;
        private final Channel channel;
        private final String replyTo;

        /** Has room for twice the calls in flight, because requests of calls that were given up wait here too. */
        private final BlockingQueue<Waiting> waiting = new ArrayBlockingQueue<>(2 * maxInFlight);

        private final Thread publisher = Daemon.thread("rabbitmq-requests", this::publish);

        /** The correlation ids of requests that the server has not confirmed, by their numbers in the channel. */
        private final NavigableMap<Long, Long> unconfirmed = new ConcurrentSkipListMap<>();

        Requester(RabbitMqConnection connection, Channel channel, String replyTo) {
            this.connection = connection;
            this.channel = channel;
            this.replyTo = replyTo;
        }

        private Map<Long, Long> settled(long number, boolean andEarlier) {
            return unconfirmed.subMap(andEarlier ? 0 : number, true, number, true);
        }

        private void refused(long number, boolean andEarlier) {
            Map<Long, Long> refused = settled(number, andEarlier);
            CallException error = CallException.unavailable(server + " did not store the request");
            refused.values().forEach(correlationId -> pending.fail(correlationId, error));
            refused.clear();
        }

        private void publish() {
            try {
                while (!Thread.interrupted()) {
                    publish(waiting.take());
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        private void publish(Waiting next) {
            long millis = TimeUnit.NANOSECONDS.toMillis(next.deadline - System.nanoTime());
            if (millis <= 0) {
                return; // its call has ended
            }
            String parent = next.request.traceparent();
            AMQP.BasicProperties properties = new AMQP.BasicProperties.Builder()
                    .correlationId(text(next.correlationId))
                    .replyTo(replyTo)
                    .headers(parent == null ? null : Map.of(Traces.PARENT, parent))
                    .deliveryMode(durable ? RabbitMqServer.PERSISTENT : null)
                    .expiration(lean ? null : Long.toString(millis))
                    .build();
            if (durable) {
                unconfirmed.put(channel.getNextPublishSeqNo(), next.correlationId);
            }
            try {
                channel.basicPublish("", queue, !lean, properties, next.request.body());
            } catch (IOException | RuntimeException e) {
                pending.fail(next.correlationId, failure(e));
            }
        }

        @Override
        public @Nullable String problem() {
            return connection.problem();
        }

        @Override
        public void awaitEnd() throws InterruptedException {
            connection.awaitEnd();
        }

        @Override
        public void close() {
            publisher.interrupt();
            connection.close();
        }
    }
}
