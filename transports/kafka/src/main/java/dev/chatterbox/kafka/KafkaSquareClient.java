package dev.chatterbox.kafka;

import static java.util.Map.entry;

import dev.chatterbox.client.CallException;
import dev.chatterbox.client.CallLimits;
import dev.chatterbox.client.CorrelatedClient;
import dev.chatterbox.client.MessageLimit;
import dev.chatterbox.client.SquareReply;
import dev.chatterbox.client.SquareRequest;
import dev.chatterbox.connection.BrokerConnection;
import dev.chatterbox.connection.Opening;
import dev.chatterbox.connection.RefusedException;
import dev.chatterbox.traces.Traces;
import dev.chatterbox.transport.CallMode;
import dev.chatterbox.variants.Variant;
import dev.chatterbox.variants.Variants;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.kafka.autoconfigure.KafkaProperties;

/**
 * Request-reply over Kafka. A record to the request topic names, in spring-kafka's headers, a correlation id and this
 * aggregator's partition of the reply topic. It is like {@code ReplyingKafkaTemplate}, but without a UUID, a future and
 * a timeout task for each request. Replies arrive on the thread of the {@link RecordReader}.
 */
class KafkaSquareClient extends CorrelatedClient<KafkaSquareClient.Requester> {

    /** More than there are variants that share a reply topic: two in one partition would read each other's replies. */
    private static final int REPLY_PARTITIONS = 16;

    /** The default of the producer, also the responder's, and about the broker's default (message.max.bytes). */
    private static final int MAX_REQUEST_SIZE = 1 << 20;

    /** The most bytes that a record's headers and frame take. */
    private static final int FRAME = 1_024;

    static final MessageLimit LIMIT =
            new MessageLimit(MAX_REQUEST_SIZE, "max.request.size of " + MAX_REQUEST_SIZE).less(FRAME);

    /** The default buffer, which is enough for requests without payloads. */
    private static final long LEAST_BUFFER = 32 << 20;

    /** How often a new producer asks for metadata; each time it waits for {@code max.block.ms}. */
    private static final int METADATA_TRIES = 20;

    private static final Duration CLOSE_WITHIN = Duration.ofSeconds(1);

    /** If the broker describes the topics but refuses the reader, it would refuse the next reader at once again. */
    private static final Duration REFUSED_PAUSE = Duration.ofSeconds(10);

    private static final int CORRELATION_BYTES = 2 * Long.BYTES;

    /** Chooses the reply partitions of this process where no instance is set. */
    private static final int PROCESS = ThreadLocalRandom.current().nextInt();

    private final KafkaSettings settings;
    private final Outages outages;
    private final KafkaProperties spring;
    private final String requestTopic;
    private final String batchTopic;
    private final List<String> requestTopics;
    private final String replyTopic;
    private final Header replyTopicHeader;

    /** Of requests and replies. */
    private final List<String> topics;

    private final String group;
    private final CallLimits limits;
    private final int partitionOffset;

    /**
     * The first half of each correlation id. It distinguishes this client's replies from others on the same partition.
     */
    private final long requester = ThreadLocalRandom.current().nextLong();

    private volatile MessageLimit limit = LIMIT;

    /** @param spring what Kafka requires of clients, such as TLS and a password; our own settings override it */
    KafkaSquareClient(
            Variant variant,
            Variants variants,
            KafkaSettings settings,
            KafkaProperties spring,
            CallLimits limits,
            MeterRegistry meters) {
        super(
                variant.name(),
                limits,
                meters,
                "the Kafka broker at " + settings.servers(),
                "no responder is in the group " + variant.address("group"));
        this.settings = settings;
        outages = new Outages(settings.servers(), "client");
        this.spring = spring;
        requestTopic = variant.address("request-topic");
        batchTopic = TopicAdmin.batchTopic(requestTopic);
        requestTopics =
                variant.modes().contains(CallMode.BATCH) ? List.of(requestTopic, batchTopic) : List.of(requestTopic);
        replyTopic = variant.address("reply-topic");
        replyTopicHeader = MessageHeaders.replyTopic(replyTopic);
        topics = Stream.concat(requestTopics.stream(), Stream.of(replyTopic)).toList();
        group = variant.address("group");
        this.limits = limits;
        partitionOffset = variants.all().stream()
                .filter(other -> replyTopic.equals(other.address().get("reply-topic")))
                .toList()
                .indexOf(variant);
    }

    @Override
    protected Requester open() throws Exception {
        Map<String, Object> options = settings.options(spring);
        return TopicAdmin.open(outages, options, admin -> open(admin, options));
    }

    /** @param options of every client */
    private Requester open(TopicAdmin admin, Map<String, Object> options) throws Exception {
        admin.make(List.of(replyTopic), REPLY_PARTITIONS, TopicAdmin.RETENTION);
        Map<String, TopicDescription> descriptions = admin.describe(topics);
        int batchBytes = admin.maxMessageBytes(topics);
        limit = batchBytes < MAX_REQUEST_SIZE
                ? new MessageLimit(batchBytes, "max.message.bytes of " + batchBytes).less(FRAME)
                : LIMIT;
        int partitions = Objects.requireNonNull(descriptions.get(replyTopic))
                .partitions()
                .size();
        TopicPartition replies =
                new TopicPartition(replyTopic, settings.replyPartition(partitions, PROCESS, partitionOffset));
        // An offset and not "the end", which would be looked up after the first requests are on their way.
        long offset = admin.endOffset(replies);
        Producer<byte[], byte[]> producer = producer(options);
        return Opening.orClose(() -> producer.close(Duration.ZERO), () -> {
            Requester requester = new Requester(
                    admin, Requester.ids(descriptions), MessageHeaders.replyPartition(replies.partition()), producer);
            requestTopics.forEach(requester::learnTopic);
            requester.read(options, replies, offset);
            return requester;
        });
    }

    private Producer<byte[], byte[]> producer(Map<String, Object> options) {
        Map<String, Object> own = Map.ofEntries(
                // send() runs on the thread that receives the replies, so it must not wait. The topics are known
                // before the first call.
                entry(ProducerConfig.MAX_BLOCK_MS_CONFIG, 100),
                entry(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, MAX_REQUEST_SIZE),
                // send() must not wait for memory either: there is room for everything that may be in flight.
                entry(ProducerConfig.BUFFER_MEMORY_CONFIG, LEAST_BUFFER + 2 * limits.maxBytesInFlight()),
                entry(ProducerConfig.METADATA_MAX_IDLE_CONFIG, 86_400_000),
                entry(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, (int)
                        Math.max(5_000, limits.callTimeout().toMillis())));
        return KafkaOptions.producer(options, KafkaOptions.PRODUCER, own, settings.producer());
    }

    @Override
    protected void send(Requester connection, long correlationId, SquareRequest request) {
        byte[] correlation = ByteBuffer.allocate(CORRELATION_BYTES)
                .putLong(requester)
                .putLong(correlationId)
                .array();
        Header id = new RecordHeader(MessageHeaders.CORRELATION_ID, correlation);
        String parent = request.traceparent();
        List<Header> headers = parent == null
                ? List.of(id, replyTopicHeader, connection.replyPartition)
                : List.of(
                        id, replyTopicHeader, connection.replyPartition, MessageHeaders.header(Traces.PARENT, parent));
        String topic = request.batch() ? batchTopic : requestTopic;
        // The record has no key, so that the producer stays with one partition until a batch is full.
        connection.producer.send(
                new ProducerRecord<>(topic, null, null, null, request.body(), headers), (sent, error) -> {
                    if (error != null) {
                        pending.fail(correlationId, failure(error));
                    }
                });
    }

    private void replied(ConsumerRecord<byte[], byte[]> reply) {
        Header correlation = reply.headers().lastHeader(MessageHeaders.CORRELATION_ID);
        if (correlation == null || correlation.value() == null || correlation.value().length != CORRELATION_BYTES) {
            pending.unmatched();
            return;
        }
        ByteBuffer id = ByteBuffer.wrap(correlation.value());
        if (id.getLong() == requester) {
            pending.reply(id.getLong(), reply, KafkaSquareClient::read);
        }
    }

    /** @throws CallException the reply is an error reply, cannot be read, or is not right */
    static SquareReply read(SquareRequest request, ConsumerRecord<byte[], byte[]> reply) {
        return request.read(
                name -> MessageHeaders.text(reply.headers(), name),
                reply.value() == null ? new byte[0] : reply.value());
    }

    @Override
    protected int responders(Requester connection) throws InterruptedException {
        try {
            return connection.admin.members(group);
        } catch (IOException e) {
            throw CallException.unavailable(outages.problem(e));
        }
    }

    @Override
    public MessageLimit messageLimit() {
        return limit;
    }

    @Override
    public Map<String, Object> settings() {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("servers", settings.servers());
        settings.showSecurity(shown, spring);
        new TreeMap<>(settings.producer()).forEach((option, value) -> shown.put(option, value.toString()));
        if (settings.commitEach()) {
            shown.put("commit", "after each reply, and waited for");
        }
        return shown;
    }

    /**
     * The objects that calls use while the broker and the topics are there: a producer of requests, a reader of this
     * aggregator's reply partition, and an admin client that checks the topics once a second.
     */
    final class Requester implements BrokerConnection {

        private final TopicAdmin admin;
        private final Set<Uuid> topicIds;
        private final Header replyPartition;
        private final Producer<byte[], byte[]> producer;

        @SuppressWarnings("NullAway.Init")
        private RecordReader reader;

        private final CountDownLatch readerEnded = new CountDownLatch(1);
        private volatile @Nullable RuntimeException readerFailure;
        private volatile long repliedAt = System.nanoTime();

        Requester(TopicAdmin admin, Set<Uuid> topicIds, Header replyPartition, Producer<byte[], byte[]> producer) {
            this.admin = admin;
            this.topicIds = topicIds;
            this.replyPartition = replyPartition;
            this.producer = producer;
        }

        /** @param options of every client */
        private void read(Map<String, Object> options, TopicPartition replies, long offset) {
            Map<String, Object> own = KafkaOptions.merged(options);
            own.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "latest");
            own.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, KafkaOptions.MAX_POLL_RECORDS);
            if (settings.commitEach()) {
                own.put(ConsumerConfig.GROUP_ID_CONFIG, group + "-replies");
            }
            reader = RecordReader.ofPartition(own, replies, offset, this::read, this::readerFailed);
        }

        /** A send waits for its topic's metadata, so the producer asks for the metadata before the first send. */
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

        private void read(ConsumerRecords<byte[], byte[]> records) {
            if (!records.isEmpty()) {
                repliedAt = System.nanoTime();
                records.forEach(KafkaSquareClient.this::replied);
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

        /** If replies come, the broker is there, even if it does not answer this question in time. */
        private void lookAtTopics() throws IOException, InterruptedException {
            long start = System.nanoTime();
            Set<Uuid> current;
            try {
                current = ids(admin.describe(topics));
            } catch (IOException e) {
                if (repliedAt - start > 0) {
                    return;
                }
                throw e;
            }
            if (!current.equals(topicIds)) {
                throw new RefusedException("the topics %s are others than before".formatted(topics));
            }
        }

        /**
         * If a broker has lost its data, other topics have the same names, and offsets of the old topics mean nothing.
         */
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
}
