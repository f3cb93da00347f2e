package dev.chatterbox.aggregator.rabbitmq;

import com.rabbitmq.client.Delivery;
import com.rabbitmq.client.Return;
import com.rabbitmq.client.impl.ClientVersion;
import dev.chatterbox.aggregator.client.CallException;
import dev.chatterbox.aggregator.client.CallLimits;
import dev.chatterbox.aggregator.client.CorrelatedClient;
import dev.chatterbox.aggregator.client.SquareReply;
import dev.chatterbox.aggregator.client.SquareRequest;
import dev.chatterbox.connection.ErrorHeaders;
import dev.chatterbox.rabbitmq.RabbitMqServer;
import dev.chatterbox.rows.Row;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Request-reply over AMQP 0-9-1 with the library alone. Publisher confirms are off, for the reply says more. A request
 * bears its deadline, after which the server drops it, and is returned where there is no queue to take it.
 */
class RabbitMqSquareClient extends CorrelatedClient<RabbitMqRequester> {

    private final String name;
    private final String queue;
    private final RabbitMqServer server;
    private final RabbitMqSettings.ReplyPath replies;
    private final int maxInFlight;

    RabbitMqSquareClient(Row row, RabbitMqSettings settings, CallLimits limits, MeterRegistry meters) {
        super(
                row.name(),
                limits,
                meters,
                settings.server().toString(),
                noResponder(row.address("queue")),
                Duration.ofSeconds(2));
        name = "aggregator-service " + row.name();
        queue = row.address("queue");
        server = settings.server();
        replies = settings.replies();
        maxInFlight = limits.maxInFlight();
    }

    static String noResponder(String queue) {
        return "no responder takes requests from the queue " + queue;
    }

    @Override
    protected RabbitMqRequester open() throws IOException, TimeoutException {
        // Twice as many as are in flight: those of calls that were given up wait here too.
        int most = 2 * maxInFlight;
        return server.connect(
                name,
                connection -> new RabbitMqRequester(
                        connection,
                        queue,
                        replies,
                        most,
                        this::replied,
                        this::returned,
                        correlationId -> fail(correlationId, unavailable())));
    }

    @Override
    protected void send(RabbitMqRequester requester, long correlationId, SquareRequest request) {
        if (!requester.offer(correlationId, request)) {
            throw unavailable();
        }
    }

    private void replied(Delivery reply) {
        replied(
                correlationId(reply.getProperties().getCorrelationId(), 0),
                reply,
                (request, received) -> read(request, received.getProperties().getHeaders(), received.getBody()));
    }

    private void returned(Return request) {
        fail(correlationId(request.getProperties().getCorrelationId(), 0), noResponder());
    }

    /** @throws CallException the reply is an error reply, none that can be read, or not right */
    static SquareReply read(SquareRequest request, @Nullable Map<String, Object> headers, byte[] body) {
        Object reason = headers == null ? null : headers.get(ErrorHeaders.REASON);
        return request.read(reason == null ? null : reason.toString(), body);
    }

    @Override
    protected int responders(RabbitMqRequester requester) throws Exception {
        return requester.responders();
    }

    @Override
    public Map<String, Object> settings() {
        boolean direct = replies == RabbitMqSettings.ReplyPath.DIRECT;
        return Map.of(
                "server",
                server.address(),
                "version",
                "amqp-client " + ClientVersion.VERSION,
                "replies",
                direct ? "direct reply-to, past queues" : "an exclusive queue",
                "channels",
                direct ? 1 : 2);
    }
}
