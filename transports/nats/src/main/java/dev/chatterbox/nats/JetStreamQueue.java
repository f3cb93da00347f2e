package dev.chatterbox.nats;

import dev.chatterbox.client.CallException;
import dev.chatterbox.client.Outcome;
import dev.chatterbox.connection.Daemon;
import dev.chatterbox.queue.QueueConsumer;
import dev.chatterbox.queue.QueueListener;
import dev.chatterbox.queue.QueueListener.Answer;
import dev.chatterbox.queue.QueueSettings;
import dev.chatterbox.queue.Spread;
import io.nats.client.ConsumerContext;
import io.nats.client.Dispatcher;
import io.nats.client.FetchConsumeOptions;
import io.nats.client.FetchConsumer;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamManagement;
import io.nats.client.Message;
import io.nats.client.MessageHandler;
import io.nats.client.PushSubscribeOptions;
import io.nats.client.api.AckPolicy;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.DiscardPolicy;
import io.nats.client.api.PersistMode;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StorageType;
import io.nats.client.api.StreamConfiguration;
import java.io.IOException;
import java.time.Duration;
import java.util.Locale;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One-way messages over JetStream: a stream, which stores each message before it acknowledges it, and one durable
 * consumer, or one for each group. Topics are subjects of the stream. A message is acknowledged after it was taken; if
 * its consumer dies before that, another one gets it after {@link JetStreams#ACK_WAIT}. The stream deletes what all
 * groups have acknowledged.
 *
 * <p>A variant's settings: those of {@link NatsQueue}; {@code storage}; {@code replicas}, how many servers of a cluster
 * store each message; {@code persist}, {@code async} for a stream that acknowledges before it has written to its file;
 * {@code delivery}, a {@link Delivery}.
 */
public class JetStreamQueue extends NatsQueue {

    private static final Logger log = LoggerFactory.getLogger(JetStreamQueue.class);

    private static final Duration FETCH_EXPIRY = Duration.ofSeconds(1);

    private static final int NUMBER_RADIX = Character.MAX_RADIX;

    private final String stream;
    private final Delivery delivery;

    /** The subject of acknowledgements, less the number; empty before the queue is made. */
    private String acks = "";

    /** How messages come to consumers. The consumer's configuration in the server says it to them. */
    public enum Delivery {
        /** A consumer asks for more before it has taken what it asked for. By default 1000 may be unacknowledged. */
        CONSUME,
        /** A consumer asks for 500 messages, waits a second for them at most, takes them, and only then asks again. */
        FETCH,
        /** The server sends them unasked. */
        PUSH
    }

    public JetStreamQueue(QueueSettings settings, QueueListener listener) {
        super(settings, listener);
        // A stream's name has no dots.
        stream = settings.queue().replace('.', '-');
        delivery = Delivery.valueOf(settings.client("delivery", "consume").toUpperCase(Locale.ROOT));
    }

    /** Runs on a dispatcher thread of its own. */
    private void acknowledged(Message ack) {
        String subject = ack.getSubject();
        listener.answered(Integer.parseInt(subject, acks.length(), subject.length(), NUMBER_RADIX), answer(ack));
    }

    private static Answer answer(Message ack) {
        try {
            JetStreams.requireStored(ack, "message", "no stream takes it");
            return Answer.ACKNOWLEDGED;
        } catch (CallException e) {
            return e.outcome() == Outcome.ERROR ? Answer.UNKNOWN : Answer.REFUSED;
        }
    }

    @Override
    protected void make(Spread newSpread) throws Exception {
        acks = connection.createInbox() + ".";
        connection.createDispatcher(this::acknowledged).subscribe(acks + "*");
        StreamConfiguration configuration = StreamConfiguration.builder()
                .name(stream)
                .subjects(subjects(newSpread))
                .storageType(StorageType.valueOf(capitalized(settings.client("storage", "file"))))
                .replicas(settings.number("replicas", 1))
                .persistMode(PersistMode.get(settings.client("persist", "default")))
                .retentionPolicy(newSpread.groups() == 1 ? RetentionPolicy.WorkQueue : RetentionPolicy.Interest)
                .discardPolicy(DiscardPolicy.New)
                .build();
        JetStreams.make(connection, configuration);
        for (int group = 0; group < newSpread.groups(); group++) {
            connection.jetStreamManagement().addOrUpdateConsumer(stream, consumer(newSpread, group));
        }
    }

    private static String capitalized(String word) {
        return word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1);
    }

    /** A consumer's name has no dots. */
    private String group(Spread spread, int group) {
        return spread.group(settings.group(), group).replace('.', '-');
    }

    private ConsumerConfiguration consumer(Spread spread, int group) {
        String name = group(spread, group);
        ConsumerConfiguration.Builder consumer = ConsumerConfiguration.builder()
                .durable(name)
                .ackPolicy(AckPolicy.Explicit)
                .ackWait(JetStreams.ACK_WAIT);
        // The most messages that are not acknowledged are those of all consumers together.
        switch (delivery) {
            case CONSUME -> consumer.maxAckPending(JetStreams.MOST_UNACKNOWLEDGED);
            case FETCH ->
                consumer.maxAckPending(5_000).maxBatch(JetStreams.PULL_BATCH).maxExpires(FETCH_EXPIRY.toMillis());
            case PUSH ->
                consumer.maxAckPending(1_000)
                        .filterSubject(subjects(spread))
                        .deliverSubject(settings.queue() + ".push." + name)
                        .deliverGroup(name);
        }
        return consumer.build();
    }

    @Override
    public void remove() throws Exception {
        JetStreamManagement management = connection.jetStreamManagement();
        if (management.getStreamNames().contains(stream)) {
            management.deleteStream(stream);
        }
    }

    @Override
    public boolean isAcknowledged() {
        return true;
    }

    @Override
    public void publish(int number, byte[] message) {
        connection.publish(topic(number), acks + Integer.toString(number, NUMBER_RADIX), message);
    }

    @Override
    protected QueueConsumer consumer(Spread spread, int group, Consumer<byte[]> handler) throws Exception {
        String name = group(spread, group);
        ConsumerConfiguration consumer =
                connection.jetStreamManagement().getConsumerInfo(stream, name).getConsumerConfiguration();
        boolean isPush = consumer.getDeliverSubject() != null;
        if (!isPush && consumer.getMaxExpires() != null) {
            return fetching(name, handler);
        }
        MessageHandler acknowledging = message -> {
            handler.accept(message.getData());
            message.ack();
        };
        Dispatcher dispatcher = connection.createDispatcher();
        if (isPush) {
            PushSubscribeOptions bound = PushSubscribeOptions.bind(stream, name);
            connection.jetStream().subscribe(subjects(spread), name, dispatcher, acknowledging, false, bound);
        } else {
            connection
                    .getConsumerContext(stream, name)
                    .consume(JetStreams.pull(JetStreams.PULL_EXPIRY), dispatcher, acknowledging);
        }
        return () -> connection.closeDispatcher(dispatcher);
    }

    private QueueConsumer fetching(String name, Consumer<byte[]> handler) throws IOException, JetStreamApiException {
        ConsumerContext context = connection.getConsumerContext(stream, name);
        Thread thread = Daemon.start("queue-fetch", () -> fetch(context, handler));
        return new QueueConsumer() {
            @Override
            public void stop() {
                thread.interrupt();
            }

            @Override
            public void close() throws InterruptedException {
                thread.join(FETCH_EXPIRY.toMillis());
            }
        };
    }

    private static void fetch(ConsumerContext context, Consumer<byte[]> handler) {
        FetchConsumeOptions options = FetchConsumeOptions.builder()
                .maxMessages(JetStreams.PULL_BATCH)
                .expiresIn(FETCH_EXPIRY.toMillis())
                .build();
        try {
            while (true) {
                // The library ends a fetch's subscription by itself only if all messages came.
                try (FetchConsumer fetched = context.fetch(options)) {
                    for (Message message = fetched.nextMessage(); message != null; message = fetched.nextMessage()) {
                        handler.accept(message.getData());
                        message.ack();
                    }
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Exception e) {
            log.debug("The connection is gone", e);
        }
    }
}
