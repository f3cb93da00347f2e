package dev.chatterbox.aggregator.rabbitmq;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.Delivery;
import com.rabbitmq.client.impl.ClientVersion;
import dev.chatterbox.aggregator.client.CallException;
import dev.chatterbox.aggregator.client.CallLimits;
import dev.chatterbox.aggregator.client.ClientSettings;
import dev.chatterbox.aggregator.client.PendingCalls;
import dev.chatterbox.aggregator.client.SquareClient;
import dev.chatterbox.aggregator.client.SquareReply;
import dev.chatterbox.aggregator.client.SquareRequest;
import dev.chatterbox.rows.Row;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Request-reply over AMQP 0-9-1 with the library alone: one connection, a channel for requests and one for replies,
 * which come to an exclusive queue, or past queues (direct reply-to), for which both must be one channel. Publisher
 * confirms are off, for the reply says more. A request bears its deadline, after which the server drops it, and is
 * returned where there is no queue to take it.
 *
 * <p>Replies arrive on the connection's consumer thread, returned requests on its reading thread.
 */
class RabbitMqSquareClient implements SquareClient, RabbitMqLink.Client {

    private static final String DIRECT_REPLY_TO = "amq.rabbitmq.reply-to";

    private final boolean direct;
    private final int maxInFlight;
    private final RabbitMqLink link;
    private final PendingCalls pending;
    private final PendingCalls.Sender sender = this::send;
    private volatile @Nullable RequestSender requests;

    RabbitMqSquareClient(Row row, ClientSettings told, CallLimits limits, MeterRegistry meters) {
        RabbitMqSettings settings = told.as(RabbitMqSettings.class);
        direct = settings.replies() == RabbitMqSettings.Replies.DIRECT;
        maxInFlight = limits.maxInFlight();
        pending = new PendingCalls(row.name(), maxInFlight, meters);
        link = new RabbitMqLink(row, settings.uri(), this);
    }

    @Override
    public Mono<SquareReply> square(SquareRequest request) {
        return pending.call(request, sender);
    }

    private void send(long correlationId, SquareRequest request) {
        link.requireConnected();
        RequestSender current = requests;
        if (current == null || !current.offer(correlationId, request)) {
            throw link.unavailable();
        }
    }

    @Override
    public void connected(Connection connection, Runnable broken) throws IOException {
        Channel receiving = open(connection, broken);
        Channel sending = direct ? receiving : open(connection, broken);
        String replyTo = direct
                ? DIRECT_REPLY_TO
                : receiving.queueDeclare("", false, true, true, null).getQueue();
        receiving.basicConsume(replyTo, true, (consumer, reply) -> replied(reply), consumer -> broken.run());
        sending.addReturnListener(
                returned -> ended(returned.getProperties(), id -> pending.fail(id, link.noResponder())));
        // Twice as many as are in flight: those of calls that were given up wait here too.
        requests = new RequestSender(
                sending, link.queue(), replyTo, 2 * maxInFlight, id -> pending.fail(id, link.unavailable()));
    }

    private static Channel open(Connection connection, Runnable broken) throws IOException {
        Channel channel = connection.createChannel();
        channel.addShutdownListener(cause -> broken.run());
        return channel;
    }

    @Override
    public void disconnected(CallException error) {
        RequestSender last = requests;
        if (last != null) {
            requests = null;
            last.close();
        }
        pending.failAll(error);
    }

    private void replied(Delivery reply) {
        ended(
                reply.getProperties(),
                correlationId -> pending.reply(
                        correlationId,
                        reply,
                        (request, received) -> RabbitMqMessages.read(
                                request, received.getProperties().getHeaders(), received.getBody())));
    }

    /** Where the correlation id can be read. */
    private void ended(AMQP.BasicProperties properties, LongConsumer end) {
        long correlationId;
        try {
            correlationId = Long.parseLong(properties.getCorrelationId(), Character.MAX_RADIX);
        } catch (NumberFormatException e) {
            pending.unmatched();
            return;
        }
        end.accept(correlationId);
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
    public Map<String, Object> settings() {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("server", link.server());
        shown.put("version", "amqp-client " + ClientVersion.VERSION);
        shown.put("replies", direct ? "direct reply-to, past queues" : "an exclusive queue");
        shown.put("acknowledged", "requests, by the responder, in batches");
        shown.put("publisher confirms", false);
        shown.put("connections", 1);
        shown.put("channels", direct ? 1 : 2);
        shown.put("delivery", "kept in memory until it is answered or its deadline, at least once");
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
