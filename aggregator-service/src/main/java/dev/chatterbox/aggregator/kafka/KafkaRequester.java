package dev.chatterbox.aggregator.kafka;

import dev.chatterbox.connection.BrokerConnection;
import dev.chatterbox.connection.RefusedException;
import dev.chatterbox.kafka.KafkaOptions;
import dev.chatterbox.kafka.MessageHeaders;
import dev.chatterbox.kafka.Outages;
import dev.chatterbox.kafka.PartitionReader;
import dev.chatterbox.kafka.TopicAdmin;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.IntUnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * What calls go over while the broker and the topics are there: a producer of requests, a reader of this aggregator's
 * partition of replies, and an admin client that looks at the topics once a second.
 */
final class KafkaRequester implements BrokerConnection {

    /** The producer's, by default, and about what a broker takes (message.max.bytes); the responder's is the same. */
    static final int MAX_REQUEST_SIZE = 1 << 20;

    /** What requests without payloads take, by default. */
    private static final long LEAST_BUFFER = 32 << 20;

    /** How often a producer that has just been made asks for metadata, for {@code max.block.ms} each. */
    private static final int METADATA_TRIES = 20;

    private static final Duration CLOSE_WITHIN = Duration.ofSeconds(1);

    /** A reader that is refused, though the topics may be described, would be refused again and again. */
    private static final Duration REFUSED_PAUSE = Duration.ofSeconds(10);

    private final TopicAdmin admin;
    private final Outages outages;
    private final List<String> topics;
    private final Set<Uuid> topicIds;
    private final int maxMessageBytes;
    private final Header replyTopic;
    private final Header replyPartition;
    private final Producer<byte[], byte[]> producer;
    private final PartitionReader reader;
    private final CountDownLatch readerEnded = new CountDownLatch(1);
    private volatile @Nullable RuntimeException readerFailure;
    private volatile long repliedAt = System.nanoTime();

    /**
     * @param options of every client
     * @param maxBytesInFlight of payloads; the producer has room for them
     * @param partition of the reply topic, by how many it has
     * @param replied takes replies, on the reader's thread
     */
    KafkaRequester(
            TopicAdmin admin,
            Outages outages,
            Map<String, Object> options,
            List<String> requestTopics,
            String replyTopic,
            long maxBytesInFlight,
            IntUnaryOperator partition,
            Consumer<ConsumerRecord<byte[], byte[]>> replied)
            throws IOException, InterruptedException {
        this.admin = admin;
        this.outages = outages;
        topics = Stream.concat(requestTopics.stream(), Stream.of(replyTopic)).toList();
        admin.make(List.of(replyTopic));
        Map<String, TopicDescription> found = admin.describe(topics);
        topicIds = ids(found);
        maxMessageBytes = admin.maxMessageBytes(topics);
        TopicPartition replies = new TopicPartition(
                replyTopic,
                partition.applyAsInt(Objects.requireNonNull(found.get(replyTopic))
                        .partitions()
                        .size()));
        this.replyTopic = MessageHeaders.replyTopic(replyTopic);
        replyPartition = MessageHeaders.replyPartition(replies.partition());
        // From an offset, not from "the end": that would be looked up after the first requests are on their way.
        long offset = admin.endOffset(replies);
        producer = producer(options, maxBytesInFlight);
        try {
            requestTopics.forEach(this::learnTopic);
            reader = new PartitionReader(
                    KafkaOptions.merged(
                            options,
                            Map.of(
                                    ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
                                    "latest",
                                    ConsumerConfig.MAX_POLL_RECORDS_CONFIG,
                                    KafkaOptions.MAX_POLL_RECORDS)),
                    replies,
                    offset,
                    records -> read(records, replied),
                    this::readerFailed);
        } catch (RuntimeException e) {
            producer.close(Duration.ZERO);
            throw e;
        }
    }

    private static Producer<byte[], byte[]> producer(Map<String, Object> options, long maxBytesInFlight) {
        Map<String, Object> own = Map.of(
                // send() runs on the thread that brings the replies and must not wait: the topics are known before the
                // first call.
                ProducerConfig.MAX_BLOCK_MS_CONFIG,
                100,
                ProducerConfig.MAX_REQUEST_SIZE_CONFIG,
                MAX_REQUEST_SIZE,
                // Nor for memory: there is room for all that may be in flight.
                ProducerConfig.BUFFER_MEMORY_CONFIG,
                LEAST_BUFFER + 2 * maxBytesInFlight,
                ProducerConfig.METADATA_MAX_IDLE_CONFIG,
                86_400_000);
        return new KafkaProducer<>(
                KafkaOptions.merged(options, KafkaOptions.PRODUCER, own),
                new ByteArraySerializer(),
                new ByteArraySerializer());
    }

    /** A send waits for the metadata of its topic; the first one must not. */
    private void learnTopic(String topic) {
        for (int tries = 1; true; tries++) {
            try {
                producer.partitionsFor(topic);
                return;
            } catch (TimeoutException e) {
                if (tries == METADATA_TRIES) {
                    throw e;
                }
            }
        }
    }

    /** What the smallest of the topics takes in one batch of records. */
    int maxMessageBytes() {
        return maxMessageBytes;
    }

    /** How many members a consumer group has; asks the broker. */
    int members(String group) throws IOException, InterruptedException {
        return admin.members(group);
    }

    /** @param sent runs on the producer's thread */
    void send(String topic, byte[] correlationId, byte[] body, Callback sent) {
        List<Header> headers =
                List.of(new RecordHeader(MessageHeaders.CORRELATION_ID, correlationId), replyTopic, replyPartition);
        // Without a key: the producer stays with one partition until a batch is full.
        producer.send(new ProducerRecord<>(topic, null, null, null, body, headers), sent);
    }

    private void read(ConsumerRecords<byte[], byte[]> records, Consumer<ConsumerRecord<byte[], byte[]>> replied) {
        if (!records.isEmpty()) {
            repliedAt = System.nanoTime();
            records.forEach(replied);
        }
    }

    private void readerFailed(RuntimeException failure) {
        readerFailure = failure;
        readerEnded.countDown();
    }

    @Override
    public @Nullable String problem() {
        RuntimeException failure = readerFailure;
        return failure == null ? null : outages.problem(failure);
    }

    @Override
    public void awaitEnd() throws IOException, InterruptedException {
        while (!readerEnded.await(1, TimeUnit.SECONDS)) {
            lookAtTopics();
        }
        RuntimeException failure = readerFailure;
        if (Outages.isRefusal(failure)) {
            TimeUnit.SECONDS.sleep(REFUSED_PAUSE.toSeconds());
        }
        throw outages.outage(failure);
    }

    /** A broker that brings replies is there, however slow it is to answer this. */
    private void lookAtTopics() throws IOException, InterruptedException {
        long begun = System.nanoTime();
        Set<Uuid> found;
        try {
            found = ids(admin.describe(topics));
        } catch (IOException e) {
            if (repliedAt - begun > 0) {
                return;
            }
            throw e;
        }
        if (!found.equals(topicIds)) {
            throw new RefusedException("the topics %s are others than before".formatted(topics));
        }
    }

    /** Others of the same names are there when a broker has lost its data: offsets in the old ones mean nothing then. */
    private static Set<Uuid> ids(Map<String, TopicDescription> topics) {
        return topics.values().stream().map(TopicDescription::topicId).collect(Collectors.toSet());
    }

    @Override
    public void close() {
        reader.close();
        producer.close(CLOSE_WITHIN);
        admin.close();
    }
}
