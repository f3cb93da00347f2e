package dev.chatterbox.artemis;

import static java.util.Map.entry;

import dev.chatterbox.client.CallException;
import dev.chatterbox.client.CallLimits;
import dev.chatterbox.client.Deviation;
import dev.chatterbox.client.MessageLimit;
import dev.chatterbox.client.SquareClient;
import dev.chatterbox.client.SquareReply;
import dev.chatterbox.client.SquareRequest;
import dev.chatterbox.client.StockCalls;
import dev.chatterbox.connection.ErrorHeaders;
import dev.chatterbox.variants.Variant;
import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.apache.activemq.artemis.utils.VersionLoader;
import org.springframework.jms.connection.CachingConnectionFactory;
import org.springframework.jms.core.JmsTemplate;
import org.springframework.jms.support.JmsUtils;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * What Spring's documentation of JMS shows first: {@code JmsTemplate.sendAndReceive()} over the connection factory that
 * Spring Boot makes, all with their defaults. Each call makes a temporary queue, sends a durable message, and blocks a
 * thread until the reply comes or {@code chatterbox.call-timeout} ends. So calls have threads of their own, on which
 * replies arrive; the deadline's error comes from Reactor's timer. While the broker is away each call tries to connect
 * for two seconds, one call after the other.
 */
class ArtemisStockSquareClient implements SquareClient {

    /** Each call blocks one of them. */
    private static final int THREADS = 256;

    private final ArtemisSettings settings;
    private final String queue;
    private final CachingConnectionFactory connections;
    private final JmsTemplate template;
    private final Scheduler threads =
            Schedulers.newBoundedElastic(THREADS, Integer.MAX_VALUE, "artemis-stock", 60, true);
    private final StockCalls calls = new StockCalls(this::unavailable);

    ArtemisStockSquareClient(Variant variant, ArtemisSettings settings, CallLimits limits) {
        this.settings = settings;
        queue = variant.address("queue");
        connections = new CachingConnectionFactory(new ActiveMQConnectionFactory(settings.url()));
        // Spring Boot does the same: a temporary queue's consumer cannot be used twice.
        connections.setCacheConsumers(false);
        template = new JmsTemplate(connections);
        // By default the template waits for ever.
        template.setReceiveTimeout(limits.callTimeout().toMillis());
    }

    @Override
    public Mono<SquareReply> square(SquareRequest request) {
        return calls.timed(request, () -> onAThread(() -> ask(request)));
    }

    /** A cancelled call leaves its thread alone, because an interrupt would end the connection that all calls share. */
    private <T> Mono<T> onAThread(Supplier<T> work) {
        return Mono.fromFuture(() -> CompletableFuture.supplyAsync(work, threads::schedule));
    }

    private SquareReply ask(SquareRequest request) {
        Message reply = template.sendAndReceive(queue, session -> {
            BytesMessage message = session.createBytesMessage();
            message.writeBytes(request.body());
            return message;
        });
        if (reply == null) {
            throw new CompletionException(new TimeoutException());
        }
        try {
            return read(request, reply);
        } catch (JMSException e) {
            throw JmsUtils.convertJmsAccessException(e);
        }
    }

    private static SquareReply read(SquareRequest request, Message reply) throws JMSException {
        byte[] body = new byte[0];
        if (reply instanceof BytesMessage message) {
            body = new byte[(int) message.getBodyLength()];
            message.readBytes(body);
        }
        return request.read(reply.getStringProperty(ErrorHeaders.REASON), body);
    }

    private CallException unavailable(Throwable error) {
        return CallException.unavailable("no call over the Artemis broker at %s: %s"
                .formatted(ArtemisConnection.addresses(settings.url()), error.getMessage()));
    }

    /** Creates the queue object only, because JMS does not say whether the queue has consumers. */
    @Override
    public Mono<Void> check() {
        return onAThread(() -> template.execute(session -> session.createQueue(queue)))
                .onErrorMap(this::unavailable)
                .then();
    }

    @Override
    public Set<Deviation> deviations() {
        return Set.of(Deviation.WAITS_FOR_THE_BROKER, Deviation.KEEPS_CANCELLED_CALLS);
    }

    @Override
    public MessageLimit messageLimit() {
        return ArtemisSquareClient.LIMIT;
    }

    @Override
    public Map<String, Object> settings() {
        return Map.ofEntries(
                entry("url", ArtemisConnection.addresses(settings.url())),
                entry(
                        "version",
                        "artemis-jakarta-client " + VersionLoader.getVersion().getFullVersion()),
                entry("threads", THREADS));
    }

    @Override
    public int maxInFlight() {
        return THREADS;
    }

    @Override
    public void stop() {
        calls.stop();
        connections.destroy();
        threads.dispose();
    }
}
