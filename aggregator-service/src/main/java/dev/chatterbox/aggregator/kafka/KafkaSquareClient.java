package dev.chatterbox.aggregator.kafka;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.chatterbox.aggregator.client.CallException;
import dev.chatterbox.aggregator.client.Kind;
import dev.chatterbox.aggregator.client.Outcome;
import dev.chatterbox.aggregator.client.PendingCalls;
import dev.chatterbox.aggregator.client.SquareClient;
import dev.chatterbox.aggregator.client.SquareReply;
import dev.chatterbox.aggregator.client.SquareRequest;
import dev.chatterbox.aggregator.fanout.FanOutProperties;
import dev.chatterbox.proto.Input;
import dev.chatterbox.proto.Output;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.core.ConsumerFactory;
import org.springframework.kafka.core.KafkaAdmin;
import org.springframework.kafka.core.ProducerFactory;
import org.springframework.kafka.listener.BatchMessageListener;
import org.springframework.kafka.listener.ContainerProperties;
import org.springframework.kafka.listener.KafkaMessageListenerContainer;
import org.springframework.kafka.support.KafkaHeaders;
import org.springframework.kafka.support.TopicPartitionOffset;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/**
 * Request-reply over Kafka: a record to the request topic that names, in spring-kafka's headers, a correlation id and this
 * aggregator's partition of the reply topic. As {@code ReplyingKafkaTemplate}, without its UUID, its future and its timeout
 * task a request. Replies arrive on the listener container's poll thread.
 */
@Component
class KafkaSquareClient implements SquareClient {

    private static final int CORRELATION_BYTES = 2 * Long.BYTES;

    private final KafkaClientProperties properties;
    private final KafkaWatch watch;
    private final PendingCalls pending;
    private final PendingCalls.Sender sender = this::send;
    private final ProducerFactory<byte[], byte[]> producers;
    private final ConsumerFactory<byte[], byte[]> consumers;

    /** The first half of each correlation id: tells our replies from those of others on the same partition. */
    private final long process = ThreadLocalRandom.current().nextLong();

    private volatile @Nullable Link link;

    /** What calls go over once the topics are there. */
    private record Link(
            Producer<byte[], byte[]> producer,
            KafkaMessageListenerContainer<byte[], byte[]> container,
            Header replyTopic,
            Header replyPartition) {}

    KafkaSquareClient(
            KafkaClientProperties properties,
            FanOutProperties fanOut,
            KafkaAdmin admin,
            ProducerFactory<byte[], byte[]> producers,
            ConsumerFactory<byte[], byte[]> consumers,
            MeterRegistry meters) {
        this.properties = properties;
        this.producers = producers;
        this.consumers = consumers;
        pending = new PendingCalls(name(), fanOut.maxInFlight(), meters);
        Map<String, Object> configuration = admin.getConfigurationProperties();
        String servers = String.valueOf(configuration.get(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG))
                .replaceAll("[\\[\\]\\s]", "");
        watch = new KafkaWatch(servers, () -> Admin.create(configuration), this::connect, pending::failAll);
    }

    @Override
    public String name() {
        return "kafka";
    }

    @Override
    public Kind kind() {
        return Kind.LOG;
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
        byte[] body = Input.newBuilder().setNumber(request.number()).build().toByteArray();
        byte[] correlation = ByteBuffer.allocate(CORRELATION_BYTES)
                .putLong(process)
                .putLong(correlationId)
                .array();
        List<Header> headers = List.of(
                new RecordHeader(KafkaHeaders.CORRELATION_ID, correlation), current.replyTopic, current.replyPartition);
        try {
            // Without a key: the producer stays with one partition until a batch is full.
            current.producer.send(
                    new ProducerRecord<>(KafkaWatch.REQUESTS, null, null, null, body, headers), (sent, error) -> {
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
        if (id.getLong() != process) {
            return;
        }
        long correlationId = id.getLong();
        Header error = reply.headers().lastHeader("chatterbox_error");
        if (error != null) {
            pending.fail(
                    correlationId,
                    new CallException(
                            Outcome.ERROR, "an error reply: " + new String(error.value(), StandardCharsets.UTF_8)));
            return;
        }
        try {
            Output output = Output.parseFrom(reply.value() == null ? new byte[0] : reply.value());
            pending.reply(correlationId, output.getNumber(), output.getResult());
        } catch (InvalidProtocolBufferException e) {
            pending.fail(
                    correlationId, new CallException(Outcome.ERROR, "a reply that is not a square.Output message"));
        }
    }

    /** Runs on the watch's thread, once both topics are there, until it succeeds. */
    private void connect(KafkaWatch.Topics topics) {
        int partition = properties.replyPartition(topics.replyPartitions(), process);
        Producer<byte[], byte[]> producer = producers.createProducer();
        // A send waits for a topic's metadata; the first one must not.
        producer.partitionsFor(KafkaWatch.REQUESTS);
        // From an offset, not from "the end": that would be looked up after the first requests are on their way.
        long offset = topics.endOffset(new TopicPartition(KafkaWatch.REPLIES, partition));
        ContainerProperties container =
                new ContainerProperties(new TopicPartitionOffset(KafkaWatch.REPLIES, partition, offset));
        container.setAckMode(ContainerProperties.AckMode.MANUAL);
        container.setMessageListener((BatchMessageListener<byte[], byte[]>) replies -> {
            watch.repliesArrived();
            replies.forEach(this::replied);
        });
        KafkaMessageListenerContainer<byte[], byte[]> listener =
                new KafkaMessageListenerContainer<>(consumers, container);
        listener.setBeanName("square-replies");
        listener.start();
        link = new Link(
                producer,
                listener,
                new RecordHeader(KafkaHeaders.REPLY_TOPIC, KafkaWatch.REPLIES.getBytes(StandardCharsets.UTF_8)),
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
                .switchIfEmpty(Mono.error(() -> new CallException(
                        Outcome.UNAVAILABLE, "no responder is in the group " + KafkaWatch.RESPONDERS)))
                .then();
    }

    boolean connected() {
        return watch.up();
    }

    int outstanding() {
        return pending.size();
    }

    @Override
    public Map<String, Object> settings() {
        Map<String, Object> producer = producers.getConfigurationProperties();
        Map<String, Object> settings = new LinkedHashMap<>();
        settings.put("servers", watch.servers());
        settings.put("acks", String.valueOf(producer.get(ProducerConfig.ACKS_CONFIG)));
        settings.put("linger.ms", String.valueOf(producer.get(ProducerConfig.LINGER_MS_CONFIG)));
        settings.put("connections", "1 to produce, 1 to consume");
        settings.put("delivery", "stored, at least once");
        return settings;
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
            current.container.stop();
            current.producer.close(Duration.ofSeconds(1));
        }
    }
}
