package dev.chatterbox.kafka;

import dev.chatterbox.responder.Requester;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/** kafka-clients alone, one partition of an existing reply topic, and headers and bytes written by hand. */
public final class BareKafkaClient implements Requester {

    static final String CORRELATION_ID = "kafka_correlationId";
    static final String REPLY_TOPIC = "kafka_replyTopic";
    static final String REPLY_PARTITION = "kafka_replyPartition";

    private final KafkaProducer<byte[], byte[]> producer;
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final String requestTopic;
    private final String replyTopic;
    private final int replyPartition;
    private final Map<String, CompletableFuture<ConsumerRecord<byte[], byte[]>>> waiting = new ConcurrentHashMap<>();
    private final Queue<ConsumerRecord<byte[], byte[]>> received = new ConcurrentLinkedQueue<>();
    private final Thread poll = new Thread(this::receive, "bare-kafka-client");

    public BareKafkaClient(String servers, String requestTopic, String replyTopic, int replyPartition) {
        this.requestTopic = requestTopic;
        this.replyTopic = replyTopic;
        this.replyPartition = replyPartition;
        // The last setting is short because closing waits for the current fetch.
        Map<String, Object> settings =
                Map.of("bootstrap.servers", servers, "reconnect.backoff.max.ms", 500, "fetch.max.wait.ms", 50);
        producer = new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
        consumer = new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        TopicPartition replies = new TopicPartition(replyTopic, replyPartition);
        consumer.assign(List.of(replies));
        consumer.seekToEnd(List.of(replies));
        consumer.position(replies);
        poll.start();
    }

    private void receive() {
        try (consumer) {
            while (true) {
                for (ConsumerRecord<byte[], byte[]> reply : consumer.poll(Duration.ofSeconds(1))) {
                    received.add(reply);
                    String id = text(reply, CORRELATION_ID);
                    CompletableFuture<ConsumerRecord<byte[], byte[]>> waits = id == null ? null : waiting.get(id);
                    if (waits != null) {
                        waits.complete(reply);
                    }
                }
            }
        } catch (WakeupException closed) {
            // close() woke the consumer.
        }
    }

    @Override
    public CompletableFuture<Message> send(boolean batch, byte[] body) {
        return send(batch ? requestTopic + ".batch" : requestTopic, body, headers -> {})
                .thenApply(BareKafkaClient::message);
    }

    /** @param change makes the headers of a correct request wrong */
    CompletableFuture<ConsumerRecord<byte[], byte[]>> send(byte @Nullable [] value, Consumer<Headers> change) {
        return send(requestTopic, value, change);
    }

    private CompletableFuture<ConsumerRecord<byte[], byte[]>> send(
            String topic, byte @Nullable [] value, Consumer<Headers> change) {
        String id = UUID.randomUUID().toString();
        CompletableFuture<ConsumerRecord<byte[], byte[]>> reply = new CompletableFuture<>();
        waiting.put(id, reply);
        // The key spreads requests over the partitions.
        ProducerRecord<byte[], byte[]> request = new ProducerRecord<>(topic, bytes(id), value);
        request.headers()
                .add(CORRELATION_ID, bytes(id))
                .add(REPLY_TOPIC, bytes(replyTopic))
                .add(
                        REPLY_PARTITION,
                        ByteBuffer.allocate(Integer.BYTES)
                                .putInt(replyPartition)
                                .array());
        change.accept(request.headers());
        producer.send(request);
        return reply;
    }

    /** All records that came to the client's partition. */
    Queue<ConsumerRecord<byte[], byte[]>> received() {
        return received;
    }

    static @Nullable String text(ConsumerRecord<byte[], byte[]> reply, String header) {
        Header value = reply.headers().lastHeader(header);
        return value == null ? null : new String(value.value(), StandardCharsets.UTF_8);
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static Message message(ConsumerRecord<byte[], byte[]> reply) {
        String code = text(reply, "chatterbox_error_code");
        return code == null
                ? Message.of(reply.value())
                : new Message(Integer.parseInt(code), String.valueOf(text(reply, "chatterbox_error")), reply.value());
    }

    @Override
    public void close() {
        producer.close(Duration.ofSeconds(1));
        consumer.wakeup();
        try {
            poll.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
