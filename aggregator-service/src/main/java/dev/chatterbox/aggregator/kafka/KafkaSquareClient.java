package dev.chatterbox.aggregator.kafka;

import dev.chatterbox.aggregator.client.CallException;
import dev.chatterbox.aggregator.client.CallLimits;
import dev.chatterbox.aggregator.client.ClientSettings;
import dev.chatterbox.aggregator.client.MessageLimit;
import dev.chatterbox.aggregator.client.Outcome;
import dev.chatterbox.aggregator.client.PendingCalls;
import dev.chatterbox.aggregator.client.SquareClient;
import dev.chatterbox.aggregator.client.SquareReply;
import dev.chatterbox.aggregator.client.SquareRequest;
import dev.chatterbox.rows.Row;
import dev.chatterbox.rows.Rows;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.kafka.autoconfigure.KafkaProperties;
import org.springframework.kafka.core.ConsumerFactory;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;
import org.springframework.kafka.listener.BatchMessageListener;
import org.springframework.kafka.listener.ContainerProperties;
import org.springframework.kafka.listener.KafkaMessageListenerContainer;
import org.springframework.kafka.support.KafkaHeaders;
import org.springframework.kafka.support.TopicPartitionOffset;
import reactor.core.publisher.Mono;

/**
 * Request-reply over Kafka: a record to the request topic that names, in spring-kafka's headers, a correlation id and
 * this aggregator's partition of the reply topic. As {@code ReplyingKafkaTemplate}, without its UUID, its future and
 * its timeout task a request. Replies arrive on the listener container's poll thread.
 */
class KafkaSquareClient implements SquareClient {

    /** The producer's, by default, and about what a broker takes (message.max.bytes); the responder's is the same. */
    static final int MAX_REQUEST_SIZE = 1 << 20;

    /** What a record's headers and frame take at the most. */
    private static final int FRAME = 1_024;

    static final MessageLimit LIMIT = new MessageLimit(
            MAX_REQUEST_SIZE - FRAME, "max.request.size of %d less %d".formatted(MAX_REQUEST_SIZE, FRAME));

    private static final int BATCH_SIZE = 256 << 10;

    private static final int CORRELATION_BYTES = 2 * Long.BYTES;

    /** Chooses the reply partitions of this process where no instance is told. */
    private static final int PROCESS = ThreadLocalRandom.current().nextInt();

    /** A broker that comes back is found within a second. */
    private static final Map<String, Object> COMMON =
            Map.of(CommonClientConfigs.RECONNECT_BACKOFF_MAX_MS_CONFIG, 1_000);

    private static final Duration AUTHENTICATES_AGAIN = Duration.ofSeconds(10);

    /** What requests without payloads take, by default. */
    private static final long LEAST_BUFFER = 32 << 20;

    private final KafkaSettings settings;
    private final KafkaProperties spring;
    private final KafkaAddress address;
    private final long maxBytesInFlight;
    private final int partitionOffset;
    private final KafkaWatch watch;
    private final PendingCalls pending;
    private final PendingCalls.Sender sender = this::send;

    /**
     * The first half of each correlation id: tells this client's replies from those of others on the same partition.
     */
    private final long requester = ThreadLocalRandom.current().nextLong();

    private volatile MessageLimit limit = LIMIT;
    private volatile @Nullable Link link;

    /** What calls go over once the topics are there. */
    private record Link(
            Producer<byte[], byte[]> producer,
            KafkaMessageListenerContainer<byte[], byte[]> container,
            Header replyTopic,
            Header replyPartition) {

        void close() {
            container.stop();
            producer.close(Duration.ofSeconds(1));
        }
    }

    /** @param spring what Kafka asks of those who connect, as of TLS and of the password; our own settings win */
    KafkaSquareClient(
            Row row, Rows rows, ClientSettings told, KafkaProperties spring, CallLimits limits, MeterRegistry meters) {
        settings = told.as(KafkaSettings.class);
        this.spring = spring;
        address = KafkaAddress.of(row);
        maxBytesInFlight = limits.maxBytesInFlight();
        partitionOffset = rows.all().stream()
                .filter(other -> address.replyTopic().equals(other.address().get("reply-topic")))
                .toList()
                .indexOf(row);
        pending = new PendingCalls(row.name(), limits.maxInFlight(), meters);
        watch = new KafkaWatch(
                settings.servers(),
                address,
                () -> Admin.create(configuration(Map.of())),
                this::connect,
                pending::failAll);
    }

    private Map<String, Object> configuration(Map<String, Object> own) {
        Map<String, Object> all = new HashMap<>(spring.buildAdminProperties());
        all.putAll(COMMON);
        all.put(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, settings.servers());
        all.putAll(own);
        return all;
    }

    private Producer<byte[], byte[]> producer() {
        Map<String, Object> own = Map.of(
                // Equal terms for a stored log: a record counts once it is stored. acks=0 would be faster and
                // dishonest.
                ProducerConfig.ACKS_CONFIG, "all",
                // The default since Kafka 4 is 5 ms, a wait that a lone call pays in full; under load batches fill by
                // themselves.
                ProducerConfig.LINGER_MS_CONFIG, 0,
                // A batch of the default size, 16 KiB, holds one record of 8 KiB: each call would pay for a batch.
                ProducerConfig.BATCH_SIZE_CONFIG, BATCH_SIZE,
                // send() runs on the thread that brings the replies and must not wait: the topics are known before the
                // first call.
                ProducerConfig.MAX_BLOCK_MS_CONFIG, 100,
                ProducerConfig.MAX_REQUEST_SIZE_CONFIG, MAX_REQUEST_SIZE,
                // Nor for memory: there is room for all that may be in flight.
                ProducerConfig.BUFFER_MEMORY_CONFIG, LEAST_BUFFER + 2 * maxBytesInFlight,
                // A request is worth nothing after its deadline (chatterbox.call-timeout).
                ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, 5_000,
                ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, 4_000,
                ProducerConfig.METADATA_MAX_IDLE_CONFIG, 86_400_000);
        return new KafkaProducer<>(configuration(own), new ByteArraySerializer(), new ByteArraySerializer());
    }

    private ConsumerFactory<byte[], byte[]> consumers() {
        Map<String, Object> own = Map.of(
                // Every reply from the offset on that stood when this aggregator began to listen; nothing is ever
                // committed.
                ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
                false,
                ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
                "latest",
                // 500, the default, cuts a burst of replies into more rounds.
                ConsumerConfig.MAX_POLL_RECORDS_CONFIG,
                2_000);
        return new DefaultKafkaConsumerFactory<>(
                configuration(own), new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    @Override
    public Mono<SquareReply> square(SquareRequest request) {
        return pending.call(request, sender);
    }

    private void send(long correlationId, SquareRequest request) {
        watch.requireUp();
        Link current = link;
        if (current == null) {
            throw new CallException(Outcome.UNAVAILABLE, "the Kafka client is not started");
        }
        byte[] correlation = ByteBuffer.allocate(CORRELATION_BYTES)
                .putLong(requester)
                .putLong(correlationId)
                .array();
        List<Header> headers = List.of(
                new RecordHeader(KafkaHeaders.CORRELATION_ID, correlation), current.replyTopic, current.replyPartition);
        try {
            // Without a key: the producer stays with one partition until a batch is full.
            current.producer.send(
                    new ProducerRecord<>(
                            request.batch() ? address.batchTopic() : address.requestTopic(),
                            null,
                            null,
                            null,
                            request.body(),
                            headers),
                    (sent, error) -> {
                        if (error != null) {
                            pending.fail(correlationId, notSent(error));
                        }
                    });
        } catch (KafkaException e) {
            throw notSent(e);
        }
    }

    private static CallException notSent(Exception error) {
        return new CallException(
                Outcome.UNAVAILABLE, "the Kafka broker did not take the request: " + error.getMessage());
    }

    /** Runs on the container's poll thread. */
    private void replied(ConsumerRecord<byte[], byte[]> reply) {
        Header correlation = reply.headers().lastHeader(KafkaHeaders.CORRELATION_ID);
        if (correlation == null || correlation.value() == null || correlation.value().length != CORRELATION_BYTES) {
            pending.unmatched();
            return;
        }
        ByteBuffer id = ByteBuffer.wrap(correlation.value());
        if (id.getLong() != requester) {
            return;
        }
        long correlationId = id.getLong();
        pending.reply(correlationId, reply, KafkaMessages::read);
    }

    /**
     * Runs on the watch's thread, once the topics are there, until it succeeds; again where others have come in their
     * place, in which the old consumer's offset means nothing.
     */
    private void connect(KafkaWatch.Topics topics) {
        int taken = topics.maxMessageBytes();
        if (taken < MAX_REQUEST_SIZE) {
            limit = new MessageLimit(taken - FRAME, "max.message.bytes of %d less %d".formatted(taken, FRAME));
        }
        int partition = settings.replyPartition(topics.replyPartitions(), PROCESS, partitionOffset);
        // From an offset, not from "the end": that would be looked up after the first requests are on their way.
        long offset = topics.endOffset(new TopicPartition(address.replyTopic(), partition));
        Link before = link;
        link = link(partition, offset);
        if (before != null) {
            before.close();
        }
    }

    private Link link(int partition, long offset) {
        Producer<byte[], byte[]> producer = producer();
        try {
            // A send waits for a topic's metadata; the first one must not.
            address.requestTopics().forEach(producer::partitionsFor);
        } catch (KafkaException e) {
            producer.close(Duration.ZERO);
            throw e;
        }
        ContainerProperties container =
                new ContainerProperties(new TopicPartitionOffset(address.replyTopic(), partition, offset));
        container.setAckMode(ContainerProperties.AckMode.MANUAL);
        // By default a broker that refuses it once ends it for ever.
        container.setAuthExceptionRetryInterval(AUTHENTICATES_AGAIN);
        container.setMessageListener((BatchMessageListener<byte[], byte[]>) replies -> {
            watch.repliesArrived();
            replies.forEach(this::replied);
        });
        KafkaMessageListenerContainer<byte[], byte[]> listener =
                new KafkaMessageListenerContainer<>(consumers(), container);
        listener.setBeanName("square-replies");
        listener.start();
        return new Link(
                producer,
                listener,
                new RecordHeader(KafkaHeaders.REPLY_TOPIC, address.replyTopic().getBytes(StandardCharsets.UTF_8)),
                new RecordHeader(
                        KafkaHeaders.REPLY_PARTITION,
                        ByteBuffer.allocate(Integer.BYTES).putInt(partition).array()));
    }

    @Override
    public Mono<Void> check() {
        return Mono.defer(() -> {
                    watch.requireUp();
                    return Mono.fromCompletionStage(watch.responders().toCompletionStage());
                })
                .filter(responders -> responders > 0)
                .switchIfEmpty(Mono.error(() ->
                        new CallException(Outcome.UNAVAILABLE, "no responder is in the group " + address.group())))
                .then();
    }

    boolean connected() {
        return watch.up();
    }

    int outstanding() {
        return pending.size();
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
        shown.put("acks", "all");
        shown.put("linger.ms", "0");
        shown.put("batch.size", Integer.toString(BATCH_SIZE));
        shown.put("connections", "1 to produce, 1 to consume");
        shown.put("delivery", "stored, at least once");
        return shown;
    }

    @Override
    public void start() {
        watch.start();
    }

    @Override
    public void stop() {
        watch.close();
        pending.close();
        Link current = link;
        if (current != null) {
            current.close();
        }
    }
}
