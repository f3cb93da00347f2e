package dev.chatterbox.raw;

import dev.chatterbox.kafka.MessageHeaders;
import dev.chatterbox.kafka.PartitionReader;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Bare kafka-clients: a producer, and a consumer that is assigned the one partition of a reply topic of its own.
 * Requests are sent on a thread of their own, so that polling never waits for them.
 */
public final class RawKafkaClient {

    private RawKafkaClient() {}

    public static void main(String[] arguments) {
        PipelinedCalls.main(arguments, RawKafkaClient::connect);
    }

    private static PipelinedCalls.Sender connect(PipelinedCalls calls) throws Exception {
        String servers = System.getenv().getOrDefault("KAFKA_BOOTSTRAP_SERVERS", "localhost:9092");
        String requests = calls.address("request-topic");
        String replies = ReplyTopic.make(servers);
        Producer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of(
                        "bootstrap.servers",
                        servers,
                        "acks",
                        "all",
                        // With thousands of calls in flight nothing is gained by sending at once, and a fuller batch
                        // costs broker and responder less.
                        "linger.ms",
                        2,
                        "batch.size",
                        131_072,
                        "max.block.ms",
                        10_000),
                new ByteArraySerializer(),
                new ByteArraySerializer());
        // Throws where there is no such topic, that is, no responder.
        producer.partitionsFor(requests);
        new PartitionReader(
                Map.of(
                        "bootstrap.servers",
                        servers,
                        // For the same reason.
                        "fetch.min.bytes",
                        20_000,
                        "fetch.max.wait.ms",
                        5,
                        "max.poll.records",
                        10_000),
                new TopicPartition(replies, 0),
                0,
                records -> records.forEach(reply -> replied(reply, calls)),
                failure -> System.err.println("No more replies are read: " + failure));
        Header replyTopic = MessageHeaders.replyTopic(replies);
        Header replyPartition = MessageHeaders.replyPartition(0);
        Executor sending = Executors.newSingleThreadExecutor();
        return id -> sending.execute(() -> {
            byte[] correlation = ByteBuffer.allocate(Long.BYTES).putLong(id).array();
            List<Header> headers =
                    List.of(new RecordHeader(MessageHeaders.CORRELATION_ID, correlation), replyTopic, replyPartition);
            byte[] body = PipelinedCalls.input(id).toByteArray();
            try {
                producer.send(new ProducerRecord<>(requests, null, null, null, body, headers), (sent, error) -> {
                    if (error != null) {
                        calls.unsent(id, error);
                    }
                });
            } catch (KafkaException e) {
                calls.unsent(id, e);
            }
        });
    }

    private static void replied(ConsumerRecord<byte[], byte[]> reply, PipelinedCalls calls) {
        Header correlation = reply.headers().lastHeader(MessageHeaders.CORRELATION_ID);
        calls.replied(ByteBuffer.wrap(correlation.value()).getLong(), reply.value());
    }
}
