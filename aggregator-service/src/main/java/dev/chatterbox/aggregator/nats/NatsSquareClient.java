package dev.chatterbox.aggregator.nats;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.chatterbox.aggregator.client.CallException;
import dev.chatterbox.aggregator.client.Kind;
import dev.chatterbox.aggregator.client.Outcome;
import dev.chatterbox.aggregator.client.PendingCalls;
import dev.chatterbox.aggregator.client.SquareClient;
import dev.chatterbox.aggregator.client.SquareReply;
import dev.chatterbox.aggregator.client.SquareRequest;
import dev.chatterbox.aggregator.fanout.FanOutProperties;
import dev.chatterbox.aggregator.nats.NatsProperties.Requester;
import dev.chatterbox.proto.Input;
import dev.chatterbox.proto.Output;
import io.micrometer.core.instrument.MeterRegistry;
import io.nats.client.Connection;
import io.nats.client.ConnectionListener;
import io.nats.client.Consumer;
import io.nats.client.ErrorListener;
import io.nats.client.Message;
import io.nats.client.Nats;
import io.nats.client.Options;
import io.nats.client.impl.Headers;
import io.nats.service.ServiceMessage;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/**
 * Request-reply over NATS core, with one inbox subscription: as jnats' own {@code request()}, without its future, its lock
 * and its flush a request ({@link Requester} has that too, to be compared). Replies, and the server's word that nobody
 * listens, arrive on the inbox's dispatcher thread.
 */
@Component
class NatsSquareClient implements SquareClient, ConnectionListener {

    private static final Logger log = LoggerFactory.getLogger(NatsSquareClient.class);
    private static final String SUBJECT = "nats.square.service";
    private static final int NO_RESPONDERS = 503;

    /** Back within a second, instead of two, when the server is. */
    private static final Duration RECONNECT_WAIT = Duration.ofMillis(500);

    private final NatsProperties properties;
    private final PendingCalls pending;
    private final PendingCalls.Sender sender = this::send;
    private final Options options;
    private volatile @Nullable Thread starter;
    private volatile @Nullable Connection connection;
    private volatile String inbox = "";

    NatsSquareClient(NatsProperties properties, FanOutProperties fanOut, MeterRegistry meters) {
        this.properties = properties;
        pending = new PendingCalls(name(), fanOut.maxInFlight(), meters);
        Options.Builder builder = new Options.Builder();
        if (properties.requester() != Requester.JNATS_FLUSHING) {
            builder.dontForceFlushOnRequest();
        }
        options = builder.servers(properties.server().split(","))
                .connectionName("aggregator-service")
                .maxReconnects(-1)
                .reconnectWait(RECONNECT_WAIT)
                // Above what may be in flight: a full queue would block the thread that brings the replies.
                .maxMessagesInOutgoingQueue(2 * fanOut.maxInFlight() + 1_000)
                // A request that waits out an outage is worth nothing afterwards: calls fail at once instead.
                .reconnectBufferSize(0)
                .connectionListener(this)
                .errorListener(new LoggingErrorListener())
                .build();
    }

    @Override
    public String name() {
        return "nats";
    }

    @Override
    public Kind kind() {
        return Kind.BROKER;
    }

    @Override
    public Mono<SquareReply> square(SquareRequest request) {
        return properties.requester() == Requester.OWN ? pending.call(request, sender) : callByJnats(request);
    }

    /** As an application does it that has no table of its own; the deadline's error comes on Reactor's timer. */
    private Mono<SquareReply> callByJnats(SquareRequest request) {
        return Mono.defer(() -> Mono.fromFuture(requireConnected().request(SUBJECT, body(request))))
                .map(message -> {
                    CallException error = error(message);
                    if (error != null) {
                        throw error;
                    }
                    Output output = output(message);
                    return request.reply(output.getNumber(), output.getResult());
                })
                .onErrorMap(CancellationException.class, cancelled -> noResponder())
                .onErrorMap(IllegalStateException.class, disconnected -> unavailable())
                .timeout(request.timeout())
                .onErrorMap(TimeoutException.class, timeout -> request.timedOut());
    }

    private void send(long correlationId, SquareRequest request) {
        Connection connection = requireConnected();
        try {
            connection.publish(SUBJECT, inbox + Long.toString(correlationId, Character.MAX_RADIX), body(request));
        } catch (IllegalStateException e) {
            // The connection went away just now.
            throw unavailable();
        }
    }

    private static byte[] body(SquareRequest request) {
        return Input.newBuilder().setNumber(request.number()).build().toByteArray();
    }

    private static Output output(Message message) {
        try {
            return Output.parseFrom(message.getData());
        } catch (InvalidProtocolBufferException e) {
            throw new CallException(Outcome.ERROR, "a reply that is not a square.Output message");
        }
    }

    private Connection requireConnected() {
        Connection current = connection;
        if (current == null || !connected()) {
            throw unavailable();
        }
        return current;
    }

    boolean connected() {
        Connection current = connection;
        return current != null && current.getStatus() == Connection.Status.CONNECTED;
    }

    private CallException unavailable() {
        return new CallException(Outcome.UNAVAILABLE, "no connection to the NATS server at " + properties.server());
    }

    /** Runs on the inbox's dispatcher thread. */
    private void replied(Message message) {
        String subject = message.getSubject();
        long correlationId;
        try {
            correlationId = Long.parseLong(subject, inbox.length(), subject.length(), Character.MAX_RADIX);
        } catch (NumberFormatException | IndexOutOfBoundsException e) {
            pending.unmatched();
            return;
        }
        CallException error = error(message);
        if (error != null) {
            pending.fail(correlationId, error);
            return;
        }
        try {
            Output output = output(message);
            pending.reply(correlationId, output.getNumber(), output.getResult());
        } catch (CallException e) {
            pending.fail(correlationId, e);
        }
    }

    private static @Nullable CallException error(Message message) {
        if (message.isStatusMessage() && message.getStatus().getCode() == NO_RESPONDERS) {
            return noResponder();
        }
        Headers headers = message.hasHeaders() ? message.getHeaders() : null;
        String reason = headers == null ? null : headers.getFirst(ServiceMessage.NATS_SERVICE_ERROR);
        return reason == null ? null : new CallException(Outcome.ERROR, "an error reply: " + reason);
    }

    /** Pings the service, as {@code nats micro ping} does; a responder outside the services convention answers calls only. */
    @Override
    public Mono<Void> check() {
        return Mono.defer(() -> Mono.fromFuture(requireConnected().request("$SRV.PING.square-service", null)))
                .onErrorMap(CancellationException.class, cancelled -> noResponder())
                .then();
    }

    private static CallException noResponder() {
        return new CallException(Outcome.UNAVAILABLE, "no responder listens on the subject " + SUBJECT);
    }

    int outstanding() {
        return pending.size();
    }

    @Override
    public Map<String, Object> settings() {
        Map<String, Object> settings = new LinkedHashMap<>();
        settings.put("server", properties.server());
        settings.put("requester", properties.requester().setting());
        settings.put("connections", 1);
        settings.put("delivery", "at most once, nothing stored");
        return settings;
    }

    @Override
    public void start() {
        Thread thread = new Thread(this::connect, "nats-start");
        thread.setDaemon(true);
        starter = thread;
        thread.start();
    }

    /** Until the server is there; from then on jnats reconnects by itself. Not its own connectAsynchronously: no end to that. */
    private void connect() {
        boolean told = false;
        try {
            while (isStarting()) {
                try {
                    listen(Nats.connect(options));
                    return;
                } catch (IOException e) {
                    if (!told) {
                        log.warn(
                                "No NATS server answers at {} yet ({}); keeps trying",
                                properties.server(),
                                e.getMessage());
                        told = true;
                    }
                }
                TimeUnit.NANOSECONDS.sleep(RECONNECT_WAIT.toNanos());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean isStarting() {
        return starter == Thread.currentThread();
    }

    private void listen(Connection connection) throws InterruptedException {
        String prefix = connection.createInbox() + ".";
        inbox = prefix;
        connection.createDispatcher(this::replied).subscribe(prefix + "*");
        synchronized (this) {
            if (isStarting()) {
                this.connection = connection;
                return;
            }
        }
        connection.close();
    }

    /** Runs on jnats' callback thread. */
    @Override
    public void connectionEvent(Connection connection, Events event) {
        if (event.isConnectionEvent()) {
            log.info("NATS at {}: {}", properties.server(), event);
        }
        if (event == Events.DISCONNECTED || event == Events.CLOSED) {
            // Their replies have no way back: the server forgets a connection's messages with it.
            pending.failAll(unavailable());
        }
    }

    @Override
    public void stop() {
        Connection current;
        synchronized (this) {
            starter = null;
            current = connection;
        }
        pending.close();
        if (current != null) {
            try {
                current.close();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** jnats' own prints a stack trace at every attempt to reconnect; the connection's events say as much. */
    private static final class LoggingErrorListener implements ErrorListener {

        @Override
        public void errorOccurred(Connection connection, String error) {
            log.warn("NATS server: {}", error);
        }

        @Override
        public void slowConsumerDetected(Connection connection, Consumer consumer) {
            log.warn("Replies were dropped: more than {} wait here", consumer.getPendingMessageLimit());
        }

        @Override
        public void exceptionOccurred(Connection connection, Exception e) {
            log.debug("NATS client", e);
        }
    }
}
