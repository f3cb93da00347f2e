package dev.chatterbox.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatterbox.brokers.RunningBroker;
import dev.chatterbox.client.BrokerClientContract;
import dev.chatterbox.client.ScriptedPeer;
import dev.chatterbox.client.SquareClient;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.springframework.boot.kafka.autoconfigure.KafkaProperties;

/** What the clients of Kafka responders have in common. */
abstract class KafkaContract extends BrokerClientContract {

    /** The topic of the peer, so that no other calls reach it. */
    private static final String REQUESTS = "square.requests.kit";

    private static final String BATCHES = REQUESTS + ".batch";
    private static final String REPLIES = "square.replies.kit";

    /** The replication factor. */
    private static final short BROKERS_DEFAULT = -1;

    private static final Set<String> HAVE_TOPICS = new HashSet<>();

    KafkaContract() {
        super(new Wiring(
                "KAFKA_BOOTSTRAP_SERVERS",
                "client.servers",
                "localhost:%d",
                Map.of(
                        "client.instance",
                        "3",
                        "address.request-topic",
                        REQUESTS,
                        "address.reply-topic",
                        REPLIES,
                        "address.group",
                        "kit")));
    }

    @Override
    protected Object[] beans() {
        return new Object[] {new KafkaProperties()};
    }

    @Override
    protected SquareClient client() {
        makePeersTopics(url());
        return super.client();
    }

    @Override
    protected RunningBroker brokerOfItsOwn() {
        RunningBroker broker = super.brokerOfItsOwn();
        // An earlier broker may have had the same port.
        HAVE_TOPICS.remove(url(broker));
        makePeersTopics(url(broker));
        return broker;
    }

    @Override
    protected ScriptedPeer peer(String url) {
        makePeersTopics(url);
        return new Peer(url);
    }

    /** Makes the topics that a responder and an aggregator make at their start. */
    private static void makePeersTopics(String servers) {
        if (!HAVE_TOPICS.add(servers)) {
            return;
        }
        makeTopics(
                servers,
                new NewTopic(REQUESTS, 2, BROKERS_DEFAULT),
                new NewTopic(BATCHES, 2, BROKERS_DEFAULT),
                new NewTopic(REPLIES, 4, BROKERS_DEFAULT));
    }

    static void makeTopics(String servers, NewTopic... topics) {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers))) {
            admin.createTopics(List.of(topics)).all().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            // Another test has made the topics.
            assertThat(e).hasCauseInstanceOf(TopicExistsException.class);
        } catch (InterruptedException | TimeoutException e) {
            throw new AssertionError(e);
        }
    }

    static void deleteTopics(String servers, String... topics) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers))) {
            admin.deleteTopics(List.of(topics)).all().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        }
    }

    /** Consumes on a thread of its own, from the end of every request partition on. */
    private static final class Peer extends ScriptedPeer {

        private final KafkaProducer<byte[], byte[]> producer;
        private final KafkaConsumer<byte[], byte[]> consumer;
        private final Thread poller = new Thread(this::poll, "scripted-peer");
        private volatile ConsumerRecord<byte[], byte[]> last;

        Peer(String servers) {
            Map<String, Object> options = Map.of("bootstrap.servers", servers);
            producer = new KafkaProducer<>(options, new ByteArraySerializer(), new ByteArraySerializer());
            consumer = new KafkaConsumer<>(options, new ByteArrayDeserializer(), new ByteArrayDeserializer());
            List<TopicPartition> partitions = List.of(
                    new TopicPartition(REQUESTS, 0),
                    new TopicPartition(REQUESTS, 1),
                    new TopicPartition(BATCHES, 0),
                    new TopicPartition(BATCHES, 1));
            consumer.assign(partitions);
            consumer.seekToEnd(partitions);
            // Looks the ends up now, before the test sends.
            partitions.forEach(consumer::position);
            poller.start();
        }

        private void poll() {
            try (consumer) {
                while (true) {
                    for (ConsumerRecord<byte[], byte[]> request : consumer.poll(Duration.ofSeconds(1))) {
                        last = request;
                        arrived(new Request(request));
                    }
                }
            } catch (WakeupException end) {
                // The consumer is closed.
            }
        }

        private void reply(ConsumerRecord<byte[], byte[]> request, byte[] correlation, byte[] value, Header... more) {
            Header topic = request.headers().lastHeader("kafka_replyTopic");
            Header partition = request.headers().lastHeader("kafka_replyPartition");
            ProducerRecord<byte[], byte[]> reply = new ProducerRecord<>(
                    new String(topic.value(), StandardCharsets.UTF_8),
                    partition == null
                            ? null
                            : ByteBuffer.wrap(partition.value()).getInt(),
                    null,
                    value);
            reply.headers().add("kafka_correlationId", correlation);
            List.of(more).forEach(reply.headers()::add);
            producer.send(reply);
        }

        private static byte[] correlation(ConsumerRecord<byte[], byte[]> request) {
            return request.headers().lastHeader("kafka_correlationId").value();
        }

        private final class Request extends MessageReceived {

            private final ConsumerRecord<byte[], byte[]> request;

            Request(ConsumerRecord<byte[], byte[]> request) {
                super(request.topic().equals(BATCHES), request.value());
                this.request = request;
            }

            @Override
            public void error(String reason) {
                reply(
                        request,
                        correlation(request),
                        new byte[0],
                        new RecordHeader("chatterbox_error", reason.getBytes(StandardCharsets.UTF_8)),
                        new RecordHeader("chatterbox_error_code", "500".getBytes(StandardCharsets.UTF_8)));
            }

            @Override
            public void bytes(byte[] body) {
                reply(request, correlation(request), body);
            }
        }

        @Override
        public void replyForNobody() {
            byte[] correlation = correlation(last).clone();
            correlation[correlation.length - 2]++;
            reply(last, correlation, new byte[0]);
        }

        @Override
        public void close() {
            consumer.wakeup();
            try {
                poller.join(PATIENCE.toMillis());
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            producer.close();
        }
    }
}
