package dev.chatterbox.aggregator.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatterbox.aggregator.RealResponder;
import dev.chatterbox.aggregator.SharedBrokers;
import dev.chatterbox.aggregator.TestRows;
import dev.chatterbox.aggregator.client.ClientSettings;
import dev.chatterbox.aggregator.client.ScriptedPeer;
import dev.chatterbox.aggregator.client.SquareClient;
import dev.chatterbox.aggregator.client.SquareClientContract;
import dev.chatterbox.brokers.KafkaBroker;
import dev.chatterbox.brokers.RunningBroker;
import dev.chatterbox.processes.Ports;
import dev.chatterbox.proto.Input;
import dev.chatterbox.proto.Output;
import dev.chatterbox.rows.Row;
import dev.chatterbox.rows.Rows;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
import org.junit.jupiter.api.BeforeAll;
import org.springframework.mock.env.MockEnvironment;

/** What the clients of Kafka responders have in common. */
abstract class KafkaContract extends SquareClientContract {

    /** The peer's, so that nobody else's calls reach it. */
    private static final String REQUESTS = "square.requests.kit";

    private static final String BATCHES = REQUESTS + ".batch";
    private static final String REPLIES = "square.replies.kit";

    private static final Map<String, String> ADDRESS =
            Map.of("address.request-topic", REQUESTS, "address.reply-topic", REPLIES, "address.group", "kit");

    @BeforeAll
    static void createTopics() {
        createTopics(servers());
    }

    /** As responder and aggregator do it, where they were started before. */
    private static void createTopics(String servers) {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers))) {
            admin.createTopics(List.of(
                            new NewTopic(REQUESTS, Optional.of(2), Optional.empty()),
                            new NewTopic(BATCHES, Optional.of(2), Optional.empty()),
                            new NewTopic(REPLIES, Optional.of(4), Optional.empty())))
                    .all()
                    .get(10, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            // Another class of this JVM has made them.
            assertThat(e).hasCauseInstanceOf(TopicExistsException.class);
        } catch (InterruptedException | TimeoutException e) {
            throw new AssertionError(e);
        }
    }

    abstract SquareClient client(Row row, Rows rows, ClientSettings settings);

    static String servers() {
        return SharedBrokers.of(TestRows.find("kafka")).environment().get("KAFKA_BOOTSTRAP_SERVERS");
    }

    @Override
    protected SquareClient client() {
        return client(servers(), ADDRESS);
    }

    private SquareClient client(String servers, Map<String, String> address) {
        Map<String, String> values = new HashMap<>(address);
        values.put("client.servers", servers);
        values.put("client.instance", "3");
        Rows rows = TestRows.with(row(), values);
        Row row = rows.find(row()).orElseThrow();
        return client(row, rows, new ClientSettings(row, new MockEnvironment()));
    }

    @Override
    protected SquareClient clientOfTheRealResponder() {
        Row row = TestRows.find(row());
        open(RealResponder.start(row, SharedBrokers.of(row).environment()));
        return client(servers(), Map.of());
    }

    @Override
    protected RunningBroker brokerOfItsOwn() {
        RunningBroker broker = new KafkaBroker().start();
        createTopics(broker.environment().get("KAFKA_BOOTSTRAP_SERVERS"));
        return broker;
    }

    @Override
    protected SquareClient clientOf(RunningBroker broker) {
        return client(broker.environment().get("KAFKA_BOOTSTRAP_SERVERS"), ADDRESS);
    }

    @Override
    protected SquareClient clientOfNobody() {
        return client("localhost:" + Ports.free(1).get(0), ADDRESS);
    }

    @Override
    protected ScriptedPeer peer() {
        return new Peer();
    }

    /** A consumer of its own thread, from the end of every request partition on. */
    private static final class Peer extends ScriptedPeer {

        private final KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", servers()), new ByteArraySerializer(), new ByteArraySerializer());
        private final KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", servers()), new ByteArrayDeserializer(), new ByteArrayDeserializer());
        private final Thread poller = new Thread(this::poll, "scripted-peer");
        private volatile ConsumerRecord<byte[], byte[]> last;

        Peer() {
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
                // Closed.
            } catch (Exception e) {
                throw new AssertionError(e);
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

        private final class Request implements Received {

            private final ConsumerRecord<byte[], byte[]> request;
            private final boolean batch;
            private final List<Input> inputs;

            Request(ConsumerRecord<byte[], byte[]> request) {
                this.request = request;
                batch = request.topic().equals(BATCHES);
                inputs = inputsOf(batch, request.value());
            }

            @Override
            public int number() {
                return inputs.get(0).getNumber();
            }

            @Override
            public List<Input> inputs() {
                return inputs;
            }

            @Override
            public void outputs(List<Output> outputs) {
                reply(request, correlation(request), body(batch, outputs));
            }

            @Override
            public void square(int number, long square) {
                outputs(List.of(
                        Output.newBuilder().setNumber(number).setResult(square).build()));
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
            public byte[] rightBody() {
                return body(batch, rightOutputs());
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
