package dev.chatterbox.kafka;

import static dev.chatterbox.kafka.BareKafkaClient.CORRELATION_ID;
import static dev.chatterbox.kafka.BareKafkaClient.REPLY_PARTITION;
import static dev.chatterbox.kafka.BareKafkaClient.REPLY_TOPIC;
import static dev.chatterbox.kafka.BareKafkaClient.bytes;
import static dev.chatterbox.kafka.BareKafkaClient.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.chatterbox.brokers.KafkaBroker;
import dev.chatterbox.brokers.RunningBroker;
import dev.chatterbox.responder.ActuatorChecks;
import dev.chatterbox.responder.BrokerResponderKit;
import dev.chatterbox.responder.MessageChecks;
import dev.chatterbox.responder.PayloadChecks;
import dev.chatterbox.responder.Requester;
import dev.chatterbox.responder.ResponderProcess;
import dev.chatterbox.responder.SharedBroker;
import dev.chatterbox.responder.Wire;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;
import org.springframework.kafka.listener.ContainerProperties;
import org.springframework.kafka.listener.KafkaMessageListenerContainer;
import org.springframework.kafka.requestreply.ReplyingKafkaTemplate;

/** What holds for every responder over Kafka that is not a stock one, in whatever language. */
public abstract class KafkaResponderKit extends BrokerResponderKit
        implements ActuatorChecks, MessageChecks, PayloadChecks {

    /** Less than a responder takes that looks each of a hundred topics up in turn. */
    private static final Duration UNSTALLED = Duration.ofSeconds(5);

    private static final String REQUESTS = "square.requests";
    private static final String REPLIES = "test.replies";
    private static final int REPLY_PARTITIONS = 3;
    private static final int REQUEST_PARTITIONS = 4;

    private static final short BROKERS_REPLICAS = -1;

    /** By the servers' addresses. */
    private static final Map<String, Admin> ADMINS = new HashMap<>();

    final String servers;

    protected KafkaResponderKit(Path folder, String name, Map<String, String> environment) {
        this(folder, name, environment, SharedBroker.of(new KafkaBroker()));
    }

    KafkaResponderKit(Path folder, String name, Map<String, String> environment, RunningBroker broker) {
        super(folder, name, Map.of("request-topic", REQUESTS, "group", "square-service"), environment, broker);
        servers = broker.environment().get("KAFKA_BOOTSTRAP_SERVERS");
    }

    /** The client that made the reply topic. */
    private Admin admin() {
        return ADMINS.computeIfAbsent(servers, none -> {
            Admin admin = Admin.create(
                    Map.of("bootstrap.servers", servers, "reconnect.backoff.max.ms", 500, "client.id", "test-admin"));
            deleteReplyTopics(admin);
            makeTopic(admin, REPLIES);
            return admin;
        });
    }

    @AfterAll
    static void closeAdmins() {
        ADMINS.values().forEach(admin -> admin.close(Duration.ZERO));
        ADMINS.clear();
    }

    /** Tests of another responder, in the same JVM and so with the same broker, leave theirs. */
    private static void deleteReplyTopics(Admin admin) {
        assertThat(admin.listTopics()
                        .names()
                        .toCompletionStage()
                        .thenCompose(topics -> admin.deleteTopics(topics.stream()
                                        .filter(topic -> topic.endsWith(".replies"))
                                        .toList())
                                .all()
                                .toCompletionStage())
                        .toCompletableFuture())
                .succeedsWithin(PATIENCE);
    }

    private static void makeTopic(Admin admin, String name) {
        assertThat(admin.createTopics(List.of(new NewTopic(name, REPLY_PARTITIONS, BROKERS_REPLICAS)))
                        .all()
                        .toCompletionStage()
                        .toCompletableFuture())
                .succeedsWithin(PATIENCE);
    }

    @Override
    protected Requester requester(ResponderProcess service) {
        admin();
        return new BareKafkaClient(servers, service.address("request-topic"), REPLIES, 1);
    }

    private BareKafkaClient client() {
        return (BareKafkaClient) requester;
    }

    @Override
    protected boolean keepsUnansweredRequests() {
        return true;
    }

    @Override
    public String ownAddress() {
        return REQUESTS;
    }

    @Override
    public void send(@Nullable String replyTo, byte[] body) {
        client().send(body, headers -> {
            headers.remove(REPLY_TOPIC);
            if (replyTo != null) {
                headers.add(REPLY_TOPIC, bytes(replyTo));
            }
        });
    }

    @Test
    void makesItsTopicWithSeveralPartitions() throws Exception {
        assertThat(admin().describeTopics(List.of(REQUESTS))
                        .allTopicNames()
                        .get(PATIENCE.toSeconds(), TimeUnit.SECONDS)
                        .get(REQUESTS)
                        .partitions())
                .hasSizeGreaterThan(1);
    }

    @Test
    void answersOnThePartitionThatIsNamed() {
        try (BareKafkaClient other = new BareKafkaClient(servers, REQUESTS, REPLIES, 2)) {
            assertThat(other.ask(3)).succeedsWithin(PATIENCE).isEqualTo(Requester.Answer.square(9));
            assertThat(ask(4)).succeedsWithin(PATIENCE).isEqualTo(Requester.Answer.square(16));
            assertThat(other.received()).hasSize(1);
            assertThat(client().received()).hasSize(1);
        }
    }

    @Test
    void answersASpringReplyingKafkaTemplate() throws Exception {
        makeTopic(admin(), "template.replies");
        Map<String, Object> settings = Map.of("bootstrap.servers", servers);
        ContainerProperties properties = new ContainerProperties("template.replies");
        properties.setGroupId("template");
        DefaultKafkaProducerFactory<byte[], byte[]> producers =
                new DefaultKafkaProducerFactory<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
        ReplyingKafkaTemplate<byte[], byte[], byte[]> template = new ReplyingKafkaTemplate<>(
                producers,
                new KafkaMessageListenerContainer<>(
                        new DefaultKafkaConsumerFactory<>(
                                settings, new ByteArrayDeserializer(), new ByteArrayDeserializer()),
                        properties));
        template.setDefaultReplyTimeout(PATIENCE);
        template.start();
        try {
            assertThat(template.waitForAssignment(PATIENCE)).isTrue();
            for (int number = 1; number <= 10; number++) {
                ConsumerRecord<byte[], byte[]> reply = template.sendAndReceive(
                                new ProducerRecord<>(REQUESTS, Wire.input(number)))
                        .get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
                assertThat(BareKafkaClient.message(reply).answer(number))
                        .isEqualTo(Requester.Answer.square((long) number * number));
            }
        } finally {
            template.stop();
            template.destroy();
            producers.destroy();
        }
    }

    /** At every moment some request waits, and those before it are committed all the same. */
    @Test
    void commitsWhatIsAnsweredWhileLaterRequestsWait() throws Exception {
        assertThat(ask(3)).succeedsWithin(PATIENCE);
        Map<TopicPartition, OffsetSpec> ends = IntStream.range(0, REQUEST_PARTITIONS)
                .mapToObj(partition -> new TopicPartition(REQUESTS, partition))
                .collect(Collectors.toMap(partition -> partition, partition -> OffsetSpec.latest()));
        long sent = admin().listOffsets(ends).all().get(PATIENCE.toSeconds(), TimeUnit.SECONDS).values().stream()
                .mapToLong(ListOffsetsResult.ListOffsetsResultInfo::offset)
                .sum();
        List<CompletableFuture<?>> replies = new ArrayList<>();
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(50)).until(() -> {
            replies.add(client().send(Wire.input(3, 0, 500_000), headers -> {}));
            return committed() > sent;
        });
        // None comes during the next test.
        assertThat(CompletableFuture.allOf(replies.toArray(CompletableFuture[]::new)))
                .succeedsWithin(PATIENCE);
    }

    private long committed() throws Exception {
        return admin()
                .listConsumerGroupOffsets("square-service")
                .partitionsToOffsetAndMetadata()
                .get(PATIENCE.toSeconds(), TimeUnit.SECONDS)
                .entrySet()
                .stream()
                .filter(entry -> entry.getKey().topic().equals(REQUESTS))
                .mapToLong(entry -> entry.getValue().offset())
                .sum();
    }

    @Test
    void refusesARequestWithoutAValueAndGoesOn() {
        assertThat(client().send(null, headers -> {}))
                .succeedsWithin(PATIENCE)
                .satisfies(KafkaResponderKit::isAnErrorReply);
        assertThat(ask(3)).succeedsWithin(PATIENCE).isEqualTo(Requester.Answer.square(9));
    }

    private static void isAnErrorReply(ConsumerRecord<byte[], byte[]> reply) {
        assertThat(text(reply, "chatterbox_error_code")).isEqualTo("400");
        assertThat(text(reply, "chatterbox_error")).isNotBlank();
        assertThat(reply.value()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void refusesARequestWithoutCorrelationIdWhereItsAddressIs(boolean nullValue) {
        client().send(Wire.input(3), headers -> {
            headers.remove(CORRELATION_ID);
            if (nullValue) {
                headers.add(CORRELATION_ID, null);
            }
        });
        await().atMost(PATIENCE).until(() -> client().received().size() == 1);
        assertThat(client().received()).first().satisfies(KafkaResponderKit::isAnErrorReply);
    }

    static Stream<Named<Consumer<Headers>>> headersThatNameNoAddress() {
        return Stream.of(
                Named.of("no topic", headers -> headers.remove(REPLY_TOPIC)),
                Named.of("a null topic", headers -> headers.add(REPLY_TOPIC, null)),
                Named.of("a partition of 3 bytes", headers -> headers.add(REPLY_PARTITION, new byte[3])),
                Named.of("a partition in text", headers -> headers.add(REPLY_PARTITION, bytes("1"))),
                Named.of("a null partition", headers -> headers.add(REPLY_PARTITION, null)),
                Named.of("partition -1", headers -> headers.add(REPLY_PARTITION, new byte[] {-1, -1, -1, -1})));
    }

    @ParameterizedTest
    @MethodSource("headersThatNameNoAddress")
    void countsWhatNamesNoAddressThatCanBeAndGoesOn(Consumer<Headers> change) {
        int invalid = service.squares("invalid");

        client().send(Wire.input(3), change);

        await().atMost(PATIENCE).until(() -> service.squares("invalid") == invalid + 1);
        assertThat(ask(3)).succeedsWithin(PATIENCE).isEqualTo(Requester.Answer.square(9));
        assertThat(client().received()).hasSize(1);
    }

    static Stream<Arguments> addressesThatDoNotExist() {
        IntFunction<Consumer<Headers>> oneTopic = i -> headers -> headers.add(REPLY_TOPIC, bytes("no.such.topic"));
        IntFunction<Consumer<Headers>> topics = i -> headers -> headers.add(REPLY_TOPIC, bytes("no.such.topic." + i));
        IntFunction<Consumer<Headers>> names = i -> headers -> headers.add(REPLY_TOPIC, bytes("not a topic!" + i));
        IntFunction<Consumer<Headers>> empty = i -> headers -> headers.add(REPLY_TOPIC, new byte[0]);
        IntFunction<Consumer<Headers>> longNames =
                i -> headers -> headers.add(REPLY_TOPIC, bytes("x".repeat(100_000) + i));
        IntFunction<Consumer<Headers>> partition =
                i -> headers -> headers.add(REPLY_PARTITION, new byte[] {0, 0, 0, REPLY_PARTITIONS});
        IntFunction<Consumer<Headers>> partitions =
                i -> headers -> headers.add(REPLY_PARTITION, new byte[] {127, -1, -1, (byte) i});
        return Stream.of(
                Arguments.of("a topic that does not exist", oneTopic),
                Arguments.of("topics that do not exist", topics),
                Arguments.of("names that no topic can have", names),
                Arguments.of("an empty name", empty),
                Arguments.of("very long names", longNames),
                Arguments.of("a partition that does not exist", partition),
                Arguments.of("partitions that do not exist", partitions));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("addressesThatDoNotExist")
    void isNotStalledByAddressesThatDoNotExist(String name, IntFunction<Consumer<Headers>> change) {
        assertThat(ask(3)).succeedsWithin(PATIENCE).isEqualTo(Requester.Answer.square(9));
        int undeliverable = service.squares("undeliverable");

        for (int i = 0; i < 100; i++) {
            client().send(Wire.input(3), change.apply(i));
        }
        List<CompletableFuture<Requester.Answer>> good =
                IntStream.rangeClosed(1, 20).mapToObj(this::ask).toList();

        assertThat(CompletableFuture.allOf(good.toArray(CompletableFuture[]::new)))
                .succeedsWithin(UNSTALLED);
        await().atMost(PATIENCE).until(() -> service.squares("undeliverable") == undeliverable + 100);
    }

    @Test
    void findsAReplyTopicThatIsMadeAfterItWasMissed() throws Exception {
        int undeliverable = service.squares("undeliverable");
        client().send(Wire.input(3), headers -> headers.add(REPLY_TOPIC, bytes("late.replies")));
        await().atMost(PATIENCE).until(() -> service.squares("undeliverable") == undeliverable + 1);

        makeTopic(admin(), "late.replies");

        try (BareKafkaClient late = new BareKafkaClient(servers, REQUESTS, "late.replies", 0)) {
            await().atMost(PATIENCE).ignoreExceptions().until(() -> late.ask(3).get(1, TimeUnit.SECONDS) != null);
        }
    }

    @Test
    void goesOnWhenAReplyTopicIsDeleted() throws Exception {
        makeTopic(admin(), "doomed.replies");
        try (BareKafkaClient doomed = new BareKafkaClient(servers, REQUESTS, "doomed.replies", 0)) {
            assertThat(doomed.ask(3)).succeedsWithin(PATIENCE);
            admin().deleteTopics(List.of("doomed.replies")).all().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            int undeliverable = service.squares("undeliverable");

            for (int i = 0; i < 100; i++) {
                doomed.ask(3);
            }

            assertThat(ask(3)).succeedsWithin(UNSTALLED).isEqualTo(Requester.Answer.square(9));
            await().atMost(PATIENCE).until(() -> service.squares("undeliverable") == undeliverable + 100);
            assertThat(ask(3)).succeedsWithin(UNSTALLED).isEqualTo(Requester.Answer.square(9));
        }
    }
}
