package dev.chatterbox.square.kafka;

import dev.chatterbox.proto.Input;
import dev.chatterbox.proto.Output;
import dev.chatterbox.square.common.RawLimit;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.springframework.kafka.support.KafkaHeaders;

/** Bare kafka-clients: a producer, and a consumer that is assigned one partition of the reply topic. */
final class RawKafkaClient {

    private static final String REPLIES = "square.replies";

    private RawKafkaClient() {}

    public static void main(String[] arguments) throws Exception {
        RawLimit.main(arguments, RawKafkaClient::connect);
    }

    private static RawLimit.Requester connect(RawLimit limit) {
        String servers = System.getenv().getOrDefault("KAFKA_BOOTSTRAP_SERVERS", "localhost:9092");
        Producer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", servers, "acks", "all", "linger.ms", 0),
                new ByteArraySerializer(),
                new ByteArraySerializer());
        KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", servers, "enable.auto.commit", false, "max.poll.records", 2000),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
        // The last one: an aggregator reads it only where there are as many aggregators as partitions.
        int partition = consumer.partitionsFor(REPLIES).size() - 1;
        TopicPartition replies = new TopicPartition(REPLIES, partition);
        consumer.assign(List.of(replies));
        consumer.seekToEnd(List.of(replies));
        consumer.position(replies);
        Thread poller = new Thread(() -> poll(consumer, limit), "raw-replies");
        poller.setDaemon(true);
        poller.start();
        List<Header> headers = List.of(
                new RecordHeader(KafkaHeaders.CORRELATION_ID, new byte[16]),
                new RecordHeader(KafkaHeaders.REPLY_TOPIC, REPLIES.getBytes(StandardCharsets.UTF_8)),
                new RecordHeader(
                        KafkaHeaders.REPLY_PARTITION,
                        ByteBuffer.allocate(Integer.BYTES).putInt(partition).array()));
        return number -> producer.send(new ProducerRecord<>(
                "square.requests",
                null,
                null,
                null,
                Input.newBuilder().setNumber(number).build().toByteArray(),
                headers));
    }

    private static void poll(KafkaConsumer<byte[], byte[]> consumer, RawLimit limit) {
        while (true) {
            for (ConsumerRecord<byte[], byte[]> reply : consumer.poll(Duration.ofSeconds(1))) {
                try {
                    Output output = Output.parseFrom(reply.value());
                    limit.replied(output.getNumber(), output.getResult());
                } catch (Exception e) {
                    limit.failed();
                }
            }
        }
    }
}
