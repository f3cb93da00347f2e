package dev.chatterbox.rabbitmq;

import com.rabbitmq.client.impl.ClientVersion;
import dev.chatterbox.client.CallException;
import dev.chatterbox.client.CallLimits;
import dev.chatterbox.client.Deviation;
import dev.chatterbox.client.SquareClient;
import dev.chatterbox.client.SquareReply;
import dev.chatterbox.client.SquareRequest;
import dev.chatterbox.client.StockCalls;
import dev.chatterbox.variants.Variant;
import java.net.URI;
import java.security.NoSuchAlgorithmException;
import java.util.Map;
import java.util.Set;
import org.springframework.amqp.AmqpException;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageProperties;
import org.springframework.amqp.core.QueueInformation;
import org.springframework.amqp.rabbit.AsyncRabbitTemplate;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.core.RabbitAdmin;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * What spring-amqp's documentation of request-reply shows first, in the form that does not block a thread for each
 * call: an {@code AsyncRabbitTemplate} with the defaults of library and server. Replies come by direct reply-to. Each
 * call then has a channel to itself, and opening a channel waits for the server. So requests are sent on threads for
 * blocking calls, as Reactor's documentation says. Replies arrive on a thread of spring-amqp's pool, the deadline's
 * error on Reactor's timer.
 */
class RabbitMqStockSquareClient implements SquareClient {

    /** Half of the 2047 channels that the server allows for a connection, because opening one takes a moment. */
    private static final int CHANNELS = 1000;

    private final String queue;
    private final RabbitMqServer server;
    private final CachingConnectionFactory connections;
    private final AsyncRabbitTemplate template;
    private final RabbitAdmin admin;

    /** While the server does not answer, all its threads wait, even those that cancel calls. */
    private final Scheduler blocking;

    private final StockCalls calls = new StockCalls(
            error -> CallException.unavailable("spring-amqp did not send the request: " + error.getMessage()));

    RabbitMqStockSquareClient(Variant variant, RabbitMqSettings settings, CallLimits limits)
            throws NoSuchAlgorithmException {
        queue = variant.address("queue");
        server = settings.server();
        connections = new CachingConnectionFactory(URI.create(settings.uri()));
        RabbitMqServer.verify(connections.getRabbitConnectionFactory());
        template = new AsyncRabbitTemplate(connections, "", queue);
        template.setBeanName(variant.name());
        // By default it gives up after 30 s, and says so as if it had not sent the request.
        template.setReceiveTimeout(limits.callTimeout().toMillis() + 1_000);
        admin = new RabbitAdmin(connections);
        blocking = StockCalls.threads(variant.name());
    }

    @Override
    public Mono<SquareReply> square(SquareRequest request) {
        return calls.timedOn(
                blocking,
                request,
                () -> Mono.fromFuture(
                                () -> template.sendAndReceive(new Message(request.body(), new MessageProperties())))
                        .map(reply -> RabbitMqSquareClient.read(
                                request, reply.getMessageProperties().getHeaders(), reply.getBody())));
    }

    @Override
    public Mono<Void> check() {
        return Mono.<Void>fromRunnable(this::requireResponder).subscribeOn(blocking);
    }

    private void requireResponder() {
        try {
            QueueInformation information = admin.getQueueInfo(queue);
            if (information == null || information.getConsumerCount() == 0) {
                throw CallException.unavailable(RabbitMqSquareClient.noResponder(queue));
            }
        } catch (AmqpException e) {
            throw CallException.unavailable("no answer from %s: %s".formatted(server, e.getMessage()));
        }
    }

    @Override
    public Set<Deviation> deviations() {
        return Set.of(Deviation.WAITS_FOR_A_RESPONDER, Deviation.KEEPS_UNSENT_CALLS);
    }

    /** With more calls, one would wait for another's channel. */
    @Override
    public int maxInFlight() {
        return CHANNELS;
    }

    @Override
    public Map<String, Object> settings() {
        String spring = AsyncRabbitTemplate.class.getPackage().getImplementationVersion();
        return Map.of(
                "server", server.address(),
                "version", "spring-amqp %s, amqp-client %s".formatted(spring, ClientVersion.VERSION));
    }

    @Override
    public void start() {
        template.start();
    }

    @Override
    public void stop() {
        calls.stop();
        template.stop();
        connections.destroy();
        blocking.dispose();
    }
}
