package dev.chatterbox.clients;

import dev.chatterbox.kafka.KafkaOptions;
import dev.chatterbox.kafka.MessageHeaders;
import dev.chatterbox.kafka.RecordReader;
import dev.chatterbox.kafka.TopicAdmin;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;

/**
 * Bare kafka-clients with the variant's options: a producer, and a consumer of the one partition of a reply topic of
 * its own. Requests are sent on a thread of their own, so that polling never waits for them.
 */
public final class RawKafkaClient {

    private RawKafkaClient() {}

    public static void main(String[] arguments) {
        new PipelinedCalls(arguments, RawKafkaClient::connect).run();
    }

    private static PipelinedCalls.Sender connect(PipelinedCalls calls) throws Exception {
        String servers = System.getenv().getOrDefault("KAFKA_BOOTSTRAP_SERVERS", "localhost:9092");
        String requests = calls.address("request-topic");
        String replies = replyTopic(servers);
        Producer<byte[], byte[]> producer = KafkaOptions.producer(
                KafkaOptions.COMMON,
                KafkaOptions.PRODUCER,
                Map.of("bootstrap.servers", servers, "max.block.ms", 10_000));
        // Throws if there is no such topic, and so no responder.
        producer.partitionsFor(requests);
        RecordReader.ofPartition(
                KafkaOptions.merged(
                        KafkaOptions.COMMON,
                        Map.of("bootstrap.servers", servers, "max.poll.records", KafkaOptions.MAX_POLL_RECORDS)),
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
            byte[] body = calls.input(id).toByteArray();
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

    /**
     * Makes a topic of one partition for one run, which nobody else reads. The end of the JVM deletes it, however the
     * run ended. If a killed JVM leaves it behind, its retention bounds it.
     *
     * @return its name
     */
    private static String replyTopic(String servers) throws Exception {
        String name = "raw-client.replies." + UUID.randomUUID();
        Admin admin = Admin.create(
                Map.of("bootstrap.servers", servers, "default.api.timeout.ms", 10_000, "request.timeout.ms", 5_000));
        Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(admin, name), "delete-reply-topic"));
        NewTopic topic = new NewTopic(name, Optional.of(1), Optional.empty()).configs(TopicAdmin.RETENTION);
        admin.createTopics(List.of(topic)).all().get(10, TimeUnit.SECONDS);
        return name;
    }

    private static void delete(Admin admin, String topic) {
        try {
            admin.deleteTopics(List.of(topic)).all().get(10, TimeUnit.SECONDS);
        } catch (Exception e) {
            System.err.println("The topic " + topic + " could not be deleted: " + e);
        }
    }

    private static void replied(ConsumerRecord<byte[], byte[]> reply, PipelinedCalls calls) {
        Header correlation = reply.headers().lastHeader(MessageHeaders.CORRELATION_ID);
        calls.replied(ByteBuffer.wrap(correlation.value()).getLong(), reply.value());
    }
}
