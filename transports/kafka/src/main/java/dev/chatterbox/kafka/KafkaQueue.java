package dev.chatterbox.kafka;

import dev.chatterbox.queue.QueueConnection;
import dev.chatterbox.queue.QueueListener;
import dev.chatterbox.queue.QueueSide;
import dev.chatterbox.queue.Spread;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * The exchange {@code queue} over Kafka: a topic of its own, or several, made for each run, and a consumer group that all
 * responders share, or several. A message is acknowledged when all replicas that are in sync have it. Producer and
 * consumers survive an outage of the broker.
 */
public final class KafkaQueue implements QueueConnection {

    /** Over all topics. The most consumers of a responder: each needs a partition. */
    private static final int PARTITIONS = 16;

    /** Nothing expires within a run. */
    private static final Map<String, String> RETENTION = Map.of(
            TopicConfig.RETENTION_MS_CONFIG, "3600000",
            TopicConfig.RETENTION_BYTES_CONFIG, "-1");

    private static final Duration CLOSE_WITHIN = Duration.ofSeconds(1);

    private final TopicAdmin admin;
    private final Outages outages;
    private final Map<String, Object> options;
    private final Settings settings;
    private final String queue;
    private final String tells;
    private final QueueListener listener;

    /** Messages go to them in turn; what is told goes to the first. */
    private final List<Producer<byte[], byte[]>> producers = new ArrayList<>();

    private final PartitionReader reader;
    private List<String> topics = List.of();
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile @Nullable RuntimeException failure;

    /**
     * What the sides may have different from others.
     *
     * @param topic to which requests go
     * @param group the responders' group, to which that of the queue's consumers is similar
     * @param commitEach whether consumers wait for a commit after each message
     * @param producers how many producers publish messages; the requester's is used
     * @param producer options of each producer
     */
    public record Settings(
            String topic, String group, boolean commitEach, int producers, Map<String, Object> producer) {}

    private KafkaQueue(
            TopicAdmin admin,
            Outages outages,
            Map<String, Object> options,
            QueueSide side,
            Settings settings,
            QueueListener listener)
            throws IOException, InterruptedException {
        this.admin = admin;
        this.outages = outages;
        this.options = options;
        this.settings = settings;
        this.listener = listener;
        queue = QueueSide.queue(settings.topic());
        tells = side.tells(queue);
        TopicPartition heard = new TopicPartition(side.hears(queue), 0);
        List<String> telling = List.of(heard.topic(), tells);
        admin.make(telling, 1, TopicAdmin.RETENTION);
        admin.describe(telling);
        long offset = admin.endOffset(heard);
        Map<String, Object> ofProducers = KafkaOptions.merged(
                options,
                KafkaOptions.PRODUCER,
                Map.of(ProducerConfig.MAX_BLOCK_MS_CONFIG, ANSWER_MILLIS),
                settings.producer());
        try {
            for (int i = 0; i < settings.producers(); i++) {
                producers.add(new KafkaProducer<>(ofProducers, new ByteArraySerializer(), new ByteArraySerializer()));
            }
            reader = new PartitionReader(
                    KafkaOptions.merged(options, Map.of(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "latest")),
                    heard,
                    offset,
                    records -> records.forEach(told -> listener.told(told.value())),
                    this::failed);
        } catch (RuntimeException e) {
            closeProducers(Duration.ZERO);
            throw e;
        }
    }

    /** @param options of all clients */
    public static KafkaQueue open(
            Outages outages, Map<String, Object> options, QueueSide side, Settings settings, QueueListener listener)
            throws IOException, InterruptedException {
        return TopicAdmin.open(
                outages, options, admin -> new KafkaQueue(admin, outages, options, side, settings, listener));
    }

    private void failed(RuntimeException error) {
        failure = error;
        ended.countDown();
    }

    @Override
    public void make(Spread spread, boolean empty) throws Exception {
        topics = spread.topics(queue);
        if (empty) {
            // Also those of an earlier run, which may have had more topics.
            admin.delete(admin.topics(queue + Spread.TOPIC));
            remove();
        }
        admin.make(topics, Math.max(1, PARTITIONS / topics.size()), RETENTION);
        for (Producer<byte[], byte[]> producer : producers) {
            topics.forEach(producer::partitionsFor);
        }
    }

    @Override
    public List<String> topics() {
        return topics;
    }

    @Override
    public void remove() throws Exception {
        admin.delete(topics);
    }

    @Override
    public boolean isAcknowledged() {
        return true;
    }

    @Override
    public void publish(int number, byte[] message) {
        producers
                .get(number % producers.size())
                .send(new ProducerRecord<>(topic(number), message), (sent, error) -> sent(number, error, listener));
    }

    /**
     * Tells the listener what became of a message.
     *
     * @param error of the producer; null if the broker has the message
     */
    public static void sent(int number, @Nullable Throwable error, QueueListener listener) {
        if (error == null) {
            listener.acknowledged(number);
        } else if (error instanceof ApiException && !(error instanceof RetriableException)) {
            listener.refused(number);
        } else {
            listener.unknown(number);
        }
    }

    /**
     * A group of consumers. Each run has topics and so groups of its own: what was committed before means nothing.
     *
     * @param group from 0
     */
    public String group(Spread spread, int group) throws IOException, InterruptedException {
        String first = spread.topics(queue).get(0);
        Uuid run = Objects.requireNonNull(admin.describe(List.of(first)).get(first))
                .topicId();
        return spread.group("%s.queue.%s".formatted(settings.group(), run), group);
    }

    /** Returns when each consumer has its partitions, or none after some seconds. */
    @Override
    public AutoCloseable consume(Spread spread, int group, int consumers, Consumer<byte[]> taken) throws Exception {
        Map<String, Object> ofGroup = KafkaOptions.merged(
                options,
                Map.of(
                        ConsumerConfig.GROUP_ID_CONFIG,
                        group(spread, group),
                        ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
                        "earliest",
                        ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
                        false,
                        ConsumerConfig.MAX_POLL_RECORDS_CONFIG,
                        KafkaOptions.MAX_POLL_RECORDS,
                        // What a member that dies leaves behind waits for so long. By default 45 s, and 3 s.
                        ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG,
                        10_000,
                        ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG,
                        1_000));
        List<GroupReader> readers = new ArrayList<>();
        try {
            for (int i = 0; i < consumers; i++) {
                readers.add(new GroupReader(ofGroup, spread.topics(queue), settings.commitEach(), taken, this::failed));
            }
            long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(ANSWER_MILLIS);
            for (GroupReader one : readers) {
                one.awaitPartitions(end - System.nanoTime());
            }
        } catch (InterruptedException | RuntimeException e) {
            close(readers);
            throw e;
        }
        return () -> close(readers);
    }

    private static void close(List<GroupReader> readers) {
        readers.forEach(GroupReader::end);
        readers.forEach(GroupReader::close);
    }

    @Override
    public void tell(byte[] message) {
        producers.get(0).send(new ProducerRecord<>(tells, 0, null, message));
    }

    @Override
    public void awaitEnd() throws IOException, InterruptedException {
        ended.await();
        throw outages.outage(failure);
    }

    @Override
    public @Nullable String problem() {
        RuntimeException error = failure;
        return error instanceof KafkaException ? outages.problem(error) : null;
    }

    @Override
    public void close() {
        reader.close();
        closeProducers(CLOSE_WITHIN);
        admin.close();
    }

    private void closeProducers(Duration within) {
        long end = System.nanoTime() + within.toNanos();
        producers.forEach(producer -> producer.close(Duration.ofNanos(Math.max(0, end - System.nanoTime()))));
    }
}
