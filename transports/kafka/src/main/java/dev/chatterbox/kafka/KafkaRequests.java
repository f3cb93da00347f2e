package dev.chatterbox.kafka;

import dev.chatterbox.connection.BrokerConnection;
import dev.chatterbox.responder.Reply;
import dev.chatterbox.responder.SquareResponder;
import dev.chatterbox.traces.Traces;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.kafka.listener.BatchInterceptor;
import org.springframework.kafka.listener.BatchMessageListener;
import org.springframework.kafka.listener.ConcurrentMessageListenerContainer;
import org.springframework.kafka.listener.ConsumerAwareRebalanceListener;
import org.springframework.kafka.listener.ContainerProperties;

/**
 * A member of the responders' consumer group. It receives requests from the topic, and batches from the topic with
 * {@code .batch}. It makes missing topics, also later, because a broker may come back without its data.
 *
 * <p>It survives an outage of the broker. Afterwards its consumer joins again by itself, sooner than a new member would
 * be given partitions.
 */
final class KafkaRequests implements BrokerConnection {

    private static final Logger log = LoggerFactory.getLogger(KafkaRequests.class);

    /** The time limit of the listener's stop and of the producer's, together less than that of the responder's. */
    private static final Duration CLOSE_WITHIN = Duration.ofMillis(1_900);

    /** A responder that dies answers again what it answered since. A commit a poll would cost a round trip each. */
    private static final Duration COMMIT_EVERY = Duration.ofSeconds(1);

    private static final Duration COMMIT_WITHIN = Duration.ofSeconds(1);

    private static final Map<String, Object> PRODUCER = Map.of(
            // Replies go to known addresses only, so a wait here means that the broker is away. It blocks the poll loop
            // briefly.
            ProducerConfig.MAX_BLOCK_MS_CONFIG, 1_000);

    private final TopicAdmin admin;
    private final List<String> topics;
    private final String batchTopic;
    private final boolean commitEach;
    private final SquareResponder responder;
    private final Producer<byte[], byte[]> producer;
    private final ReplySender replies;
    private final ConcurrentMessageListenerContainer<byte[], byte[]> listener;
    private volatile boolean isMember;

    /** What is not committed, in its order; used on the consumer's thread only, as is the next one. */
    private final Queue<Portion> portions = new ArrayDeque<>();

    /** That of the current poll. */
    private Portion last = new Portion(Map.of(), new AtomicInteger());

    /** Why the last check of the topics failed; null if it succeeded. */
    private volatile @Nullable String outage;

    /**
     * @param producer of replies; closed with this
     * @param listener of both topics, not started
     * @param commitEach whether to commit each request by itself, and to wait for that commit
     */
    KafkaRequests(
            TopicAdmin admin,
            String topic,
            Producer<byte[], byte[]> producer,
            ConcurrentMessageListenerContainer<byte[], byte[]> listener,
            boolean commitEach,
            SquareResponder responder) {
        this.admin = admin;
        this.producer = producer;
        this.listener = listener;
        this.commitEach = commitEach;
        this.responder = responder;
        batchTopic = TopicAdmin.batchTopic(topic);
        topics = List.of(topic, batchTopic);
        replies = new ReplySender(admin.admin(), producer, responder);
    }

    /** @param options of the producer; they override those that responder and requester share */
    static Producer<byte[], byte[]> producer(Map<String, Object> options) {
        return KafkaOptions.producer(KafkaOptions.PRODUCER, PRODUCER, options);
    }

    void start() {
        listener.setBeanName("square-requests");
        listener.setBatchInterceptor(new Commits());
        ContainerProperties properties = listener.getContainerProperties();
        properties.setMessageListener(
                (BatchMessageListener<byte[], byte[]>) requests -> requests.forEach(this::answer));
        properties.setConsumerRebalanceListener(new Membership());
        properties.setShutdownTimeout(CLOSE_WITHIN.toMillis());
        try {
            listener.start();
        } catch (RuntimeException e) {
            producer.close(Duration.ZERO);
            throw e;
        }
    }

    /**
     * Replies to the topic and the partition that the request's headers name, with its correlation id. {@code @SendTo}
     * does the same, but makes a Spring message and a map of headers for each record. Never throws and never waits,
     * because a wrong request must not hold up those behind it.
     */
    private void answer(ConsumerRecord<byte[], byte[]> request) {
        Portion portion = commitEach ? portion(request) : last;
        if (!answer(request, portion)) {
            portion.run();
        }
    }

    private Portion portion(ConsumerRecord<byte[], byte[]> request) {
        TopicPartition partition = new TopicPartition(request.topic(), request.partition());
        return portion(Map.of(partition, new OffsetAndMetadata(request.offset() + 1)), 1);
    }

    private Portion portion(Map<TopicPartition, OffsetAndMetadata> next, int requests) {
        Portion portion = new Portion(next, new AtomicInteger(requests));
        portions.add(portion);
        return portion;
    }

    /** @return whether a reply to it is sent, or is to be */
    private boolean answer(ConsumerRecord<byte[], byte[]> request, Portion portion) {
        Header topic = request.headers().lastHeader(MessageHeaders.REPLY_TOPIC);
        Header partition = request.headers().lastHeader(MessageHeaders.REPLY_PARTITION);
        Header correlation = request.headers().lastHeader(MessageHeaders.CORRELATION_ID);
        Integer number = partition == null ? null : partition(partition.value());
        if (number != null && number < 0) {
            responder.refuse(MessageHeaders.REPLY_PARTITION + " must be a 4-byte integer from 0", Reply.NOWHERE);
            return false;
        }
        if (topic == null || topic.value() == null) {
            responder.refuse("it names no topic to reply to in " + MessageHeaders.REPLY_TOPIC, Reply.NOWHERE);
            return false;
        }
        boolean correlated = correlation != null && correlation.value() != null;
        KafkaReply reply = new KafkaReply(
                replies,
                new String(topic.value(), StandardCharsets.UTF_8),
                number,
                correlated ? correlation : null,
                portion,
                responder.trace(MessageHeaders.text(request.headers(), Traces.PARENT)));
        if (!correlated) {
            responder.refuse("it has no " + MessageHeaders.CORRELATION_ID, reply);
        } else if (request.value() == null) {
            responder.refuse("it has no value", reply);
        } else {
            return request.topic().equals(batchTopic)
                    ? responder.answerBatch(request.value(), reply)
                    : responder.answer(request.value(), reply);
        }
        return true;
    }

    /** @return less than 0 if the value is no partition */
    private static int partition(byte @Nullable [] value) {
        return value == null || value.length != Integer.BYTES
                ? -1
                : ByteBuffer.wrap(value).getInt();
    }

    /**
     * Requests that are committed together: those of one poll, or one alone. It runs when one of them is settled.
     *
     * @param next what to commit when all of them are settled
     * @param open how many are neither answered by a reply that is stored, nor never to be
     */
    private record Portion(Map<TopicPartition, OffsetAndMetadata> next, AtomicInteger open) implements Runnable {

        @Override
        public void run() {
            open.decrementAndGet();
        }
    }

    /** Commits requests whose replies are stored, up to the first that has none; on the consumer's thread. */
    private final class Commits implements BatchInterceptor<byte[], byte[]> {

        private long committedAt = System.nanoTime();

        @Override
        public ConsumerRecords<byte[], byte[]> intercept(
                ConsumerRecords<byte[], byte[]> requests, Consumer<byte[], byte[]> consumer) {
            if (!commitEach) {
                last = portion(requests.nextOffsets(), requests.count());
            }
            return requests;
        }

        /** Runs before each poll. */
        @Override
        public void setupThreadState(Consumer<?, ?> consumer) {
            if (commitEach) {
                while (isFirstSettled()) {
                    commit(consumer, portions.remove().next);
                }
            } else if (System.nanoTime() - committedAt > COMMIT_EVERY.toNanos()) {
                committedAt = System.nanoTime();
                consumer.commitAsync(settled(), (offsets, error) -> log.debug("Committed {}", offsets, error));
            }
        }
    }

    private boolean isFirstSettled() {
        return !portions.isEmpty() && portions.element().open.get() == 0;
    }

    private Map<TopicPartition, OffsetAndMetadata> settled() {
        Map<TopicPartition, OffsetAndMetadata> settled = new HashMap<>();
        while (isFirstSettled()) {
            settled.putAll(portions.remove().next);
        }
        return settled;
    }

    private static void commit(Consumer<?, ?> consumer, Map<TopicPartition, OffsetAndMetadata> next) {
        try {
            consumer.commitSync(next, COMMIT_WITHIN);
        } catch (KafkaException e) {
            log.debug("Some requests are answered again", e);
        }
    }

    private final class Membership implements ConsumerAwareRebalanceListener {

        /** Whoever gets the partitions is to answer again as little as possible. */
        @Override
        public void onPartitionsRevokedBeforeCommit(Consumer<?, ?> consumer, Collection<TopicPartition> partitions) {
            producer.flush();
            commit(consumer, settled());
            portions.clear();
        }

        @Override
        public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
            isMember = true;
            log.info("Answers {}", partitions);
        }

        @Override
        public void onPartitionsLost(Collection<TopicPartition> partitions) {
            isMember = false;
            portions.clear();
            log.info("No longer answers {}: the group went on without this responder", partitions);
        }
    }

    /** A member without a partition is healthy too: there may be more members than partitions. */
    @Override
    public @Nullable String problem() {
        String reason = outage;
        if (reason != null) {
            return reason + "; it keeps trying";
        }
        return isMember ? null : "has not joined the group of the responders";
    }

    /** Returns when the listener ends, for example after an error of the JVM. */
    @Override
    public void awaitEnd() throws InterruptedException {
        while (listener.isChildRunning()) {
            TimeUnit.SECONDS.sleep(1);
            try {
                admin.make(topics);
                outage = null;
            } catch (IOException e) {
                String reason = admin.outages().problem(e);
                if (!reason.equals(outage)) {
                    log.warn("It keeps trying: {}", reason);
                }
                outage = reason;
            }
        }
    }

    /** Answers the fetched requests, leaves the group, sends the remaining replies, and closes. */
    @Override
    public void close() {
        listener.stop();
        producer.close(CLOSE_WITHIN);
        admin.close();
    }
}
