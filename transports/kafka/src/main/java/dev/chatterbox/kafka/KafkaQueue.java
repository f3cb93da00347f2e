package dev.chatterbox.kafka;

import static java.util.Map.entry;

import dev.chatterbox.kafka.RecordReader.Commits;
import dev.chatterbox.queue.QueueConnection;
import dev.chatterbox.queue.QueueConsumer;
import dev.chatterbox.queue.QueueListener;
import dev.chatterbox.queue.QueueListener.Answer;
import dev.chatterbox.queue.QueueSettings;
import dev.chatterbox.queue.Spread;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.RetriableException;
import org.jspecify.annotations.Nullable;

/**
 * One-way messages over Kafka: one topic or several, and one consumer group or several. A message is acknowledged when
 * all replicas that are in sync have it. Producers and consumers survive an outage of the broker.
 *
 * <p>A variant's settings: {@code servers}; {@code producers}, to which messages go in turn; {@code batch} in KB,
 * {@code linger} in ms and {@code acks} of each; {@code commit-each}, with which consumers wait for a commit after each
 * message.
 */
public class KafkaQueue extends QueueConnection {

    /** Over all topics. The most consumers of a group: each needs a partition. */
    private static final int PARTITIONS = 16;

    /** Nothing expires within a measurement. */
    private static final Map<String, String> RETENTION = Map.of(
            TopicConfig.RETENTION_MS_CONFIG, "3600000",
            TopicConfig.RETENTION_BYTES_CONFIG, "-1");

    private static final Duration CLOSE_WITHIN = Duration.ofSeconds(1);

    private final Outages outages;
    private final Map<String, Object> options;

    @SuppressWarnings("NullAway.Init")
    private TopicAdmin admin;

    /** None before the queue is made. */
    private final List<Producer<byte[], byte[]>> producers = new ArrayList<>();

    private final CompletableFuture<RuntimeException> failed = new CompletableFuture<>();

    public KafkaQueue(QueueSettings settings, QueueListener listener) {
        super(settings, listener);
        outages = new Outages(settings.client("servers"), "client");
        options = KafkaOptions.merged(KafkaOptions.COMMON, servers(settings));
    }

    @Override
    public void open() throws Exception {
        admin = TopicAdmin.open(outages, options, opened -> opened);
        atClose(admin::close);
    }

    /** The option that says where the brokers are. */
    public static Map<String, Object> servers(QueueSettings settings) {
        return Map.of(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, settings.client("servers"));
    }

    @Override
    protected void make(Spread newSpread) throws Exception {
        admin.make(topics(), Math.max(1, PARTITIONS / topics().size()), RETENTION);
        if (producers.isEmpty()) {
            openProducers(settings.number("producers", 1));
        }
        producers.forEach(producer -> topics().forEach(producer::partitionsFor));
        // A broker is named as a leader a moment before it is one, and meanwhile loses what nobody acknowledges.
        admin.awaitLeaders(topics());
    }

    /** @param number of producers */
    protected void openProducers(int number) {
        Map<String, Object> own = Map.ofEntries(
                entry(ProducerConfig.MAX_BLOCK_MS_CONFIG, ANSWER_MILLIS),
                entry(ProducerConfig.BATCH_SIZE_CONFIG, settings.number("batch", "KB", 256) << 10),
                entry(ProducerConfig.LINGER_MS_CONFIG, settings.number("linger", "ms", 0)),
                entry(ProducerConfig.ACKS_CONFIG, settings.client("acks", "all")));
        for (int i = 0; i < number; i++) {
            producers.add(KafkaOptions.producer(options, KafkaOptions.PRODUCER, own));
        }
    }

    @Override
    public void remove() throws Exception {
        admin.delete(admin.topics(settings.queue() + Spread.TOPIC));
        admin.delete(topics());
    }

    @Override
    public void publish(int number, byte[] message) {
        producers
                .get(number % producers.size())
                .send(new ProducerRecord<>(topic(number), message), (sent, error) -> sent(number, error, listener));
    }

    /**
     * Passes the outcome of a message on.
     *
     * @param error of the producer; null if the broker has the message
     */
    public static void sent(int number, @Nullable Throwable error, QueueListener listener) {
        boolean refused = error instanceof ApiException && !(error instanceof RetriableException);
        listener.answered(number, error == null ? Answer.ACKNOWLEDGED : refused ? Answer.REFUSED : Answer.UNKNOWN);
    }

    /**
     * A group of consumers. Topics that were made again have other groups: what was committed before means nothing.
     *
     * @param group from 0
     */
    protected String group(Spread spread, int group) throws IOException, InterruptedException {
        String first = topics(spread).get(0);
        Uuid topic = Objects.requireNonNull(admin.describe(List.of(first)).get(first))
                .topicId();
        return spread.group("%s.%s".formatted(settings.group(), topic), group);
    }

    protected List<String> topics(Spread spread) {
        return spread.topics(settings.queue());
    }

    @Override
    protected QueueConsumer consumer(Spread spread, int group, Consumer<byte[]> handler) throws Exception {
        Map<String, Object> ofGroup = KafkaOptions.merged(
                options,
                Map.ofEntries(
                        entry(ConsumerConfig.GROUP_ID_CONFIG, group(spread, group)),
                        entry(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest"),
                        entry(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, KafkaOptions.MAX_POLL_RECORDS),
                        // What a member that dies leaves behind waits for so long. By default 45 s, and 3 s.
                        entry(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, 10_000),
                        entry(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG, 1_000)));
        Commits commits = settings.isOn("commit-each") ? Commits.EACH_RECORD : Commits.EACH_POLL;
        return RecordReader.ofGroup(ofGroup, topics(spread), commits, handler, failed::complete);
    }

    @Override
    public void awaitEnd() throws Exception {
        throw outages.outage(failed.get());
    }

    @Override
    public void close() {
        super.close();
        long end = System.nanoTime() + CLOSE_WITHIN.toNanos();
        producers.forEach(producer -> producer.close(Duration.ofNanos(Math.max(0, end - System.nanoTime()))));
    }
}
