package dev.chatterbox.nats;

import dev.chatterbox.queue.QueueListener;
import dev.chatterbox.queue.QueueSide;
import io.nats.client.Connection;
import io.nats.client.ConsumeOptions;
import io.nats.client.ConsumerContext;
import io.nats.client.Dispatcher;
import io.nats.client.JetStreamApiException;
import io.nats.client.Message;
import io.nats.client.api.AckPolicy;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.DiscardPolicy;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StorageType;
import io.nats.client.api.StreamConfiguration;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * The exchange {@code queue} over JetStream: a work-queue stream of its own, which stores each message before it
 * acknowledges it, and one durable consumer from which all responders pull. A message is acknowledged after it was taken;
 * if its responder dies before that, another one gets it after {@link #ACK_WAIT}.
 */
public final class JetStreamQueue extends NatsQueue {

    /** By default 1000 messages may be unacknowledged, over all responders. */
    private static final int MOST_UNACKNOWLEDGED = 200_000;

    private static final Duration ACK_WAIT = Duration.ofSeconds(3);

    /** jnats' default. */
    private static final int PULL_BATCH = 500;

    private static final Duration PULL_EXPIRY = Duration.ofSeconds(3);

    private static final int NUMBER_RADIX = Character.MAX_RADIX;

    private final String stream;
    private final StorageType storage;

    /** The subject of acknowledgements, less the number. */
    private final String acks;

    private JetStreamQueue(
            NatsConnection<?> kept, QueueSide side, Address address, String stream, StorageType storage, String acks) {
        super(kept, side, address);
        this.stream = stream + "-queue";
        this.storage = storage;
        this.acks = acks;
    }

    /**
     * @param name the server shows it as the connection's name
     * @param stream the stream of the queue is {@code <stream>-queue}
     * @param storage only the requester's is used
     */
    public static JetStreamQueue open(
            NatsAccess access,
            String name,
            QueueSide side,
            Address address,
            String stream,
            StorageType storage,
            QueueListener listener)
            throws IOException, InterruptedException, TimeoutException {
        NatsConnection<?> kept = connect(access, name, side, address, listener);
        Connection connection = kept.connection();
        String acks = connection.createInbox() + ".";
        connection
                .createDispatcher(ack -> acknowledged(ack, acks.length(), listener))
                .subscribe(acks + "*");
        return new JetStreamQueue(kept, side, address, stream, storage, acks);
    }

    /** Runs on a dispatcher thread of its own. */
    private static void acknowledged(Message ack, int numberOffset, QueueListener listener) {
        int number = Integer.parseInt(
                ack.getSubject(), numberOffset, ack.getSubject().length(), NUMBER_RADIX);
        try {
            if (ack.isStatusMessage()) {
                listener.refused(number); // No stream takes it.
            } else {
                JetStreams.requireStored(ack);
                listener.acknowledged(number);
            }
        } catch (JetStreamApiException e) {
            listener.refused(number);
        } catch (IOException e) {
            listener.unknown(number);
        }
    }

    @Override
    public void make(boolean empty) throws Exception {
        StreamConfiguration configuration = StreamConfiguration.builder()
                .name(stream)
                .subjects(address.queue())
                .storageType(storage)
                .retentionPolicy(RetentionPolicy.WorkQueue)
                .discardPolicy(DiscardPolicy.New)
                .build();
        if (empty && connection.jetStreamManagement().getStreamNames().contains(stream)) {
            // The stream of an earlier run may have the other storage, which cannot be changed.
            remove();
        }
        JetStreams.make(connection, configuration);
        connection
                .jetStreamManagement()
                .addOrUpdateConsumer(
                        stream,
                        ConsumerConfiguration.builder()
                                .durable(address.group())
                                .ackPolicy(AckPolicy.Explicit)
                                .ackWait(ACK_WAIT)
                                .maxAckPending(MOST_UNACKNOWLEDGED)
                                .build());
    }

    @Override
    public void remove() throws Exception {
        connection.jetStreamManagement().deleteStream(stream);
    }

    @Override
    public boolean isAcknowledged() {
        return true;
    }

    @Override
    public void publish(int number, byte[] message) {
        connection.publish(address.queue(), acks + Integer.toString(number, NUMBER_RADIX), message);
    }

    @Override
    public AutoCloseable consume(int consumers, Consumer<byte[]> taken) throws Exception {
        ConsumerContext context = connection.getConsumerContext(stream, address.group());
        ConsumeOptions options = ConsumeOptions.builder()
                .batchSize(PULL_BATCH)
                .expiresIn(PULL_EXPIRY.toMillis())
                .build();
        List<Dispatcher> dispatchers = new ArrayList<>();
        for (int i = 0; i < consumers; i++) {
            Dispatcher dispatcher = connection.createDispatcher();
            dispatchers.add(dispatcher);
            context.consume(options, dispatcher, message -> {
                taken.accept(message.getData());
                message.ack();
            });
        }
        return () -> dispatchers.forEach(connection::closeDispatcher);
    }
}
