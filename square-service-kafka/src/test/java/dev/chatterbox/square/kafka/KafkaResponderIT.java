package dev.chatterbox.square.kafka;

import static dev.chatterbox.square.kafka.BareKafkaClient.CORRELATION_ID;
import static dev.chatterbox.square.kafka.BareKafkaClient.REPLY_PARTITION;
import static dev.chatterbox.square.kafka.BareKafkaClient.REPLY_TOPIC;
import static dev.chatterbox.square.kafka.BareKafkaClient.bytes;
import static dev.chatterbox.square.kafka.BareKafkaClient.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.chatterbox.brokers.KafkaBroker;
import dev.chatterbox.brokers.RunningBroker;
import dev.chatterbox.square.common.Requester;
import dev.chatterbox.square.common.ResponderKit;
import dev.chatterbox.square.common.RunningService;
import dev.chatterbox.square.common.Wire;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;
import org.springframework.kafka.listener.ContainerProperties;
import org.springframework.kafka.listener.KafkaMessageListenerContainer;
import org.springframework.kafka.requestreply.ReplyingKafkaTemplate;

@ExtendWith(OutputCaptureExtension.class)
class KafkaResponderIT extends ResponderKit {

    private static final RunningBroker broker = new KafkaBroker().start();
    private static final String SERVERS = "127.0.0.1:" + broker.port();
    private static final String REPLIES = "test.replies";
    private static final int REPLY_PARTITIONS = 3;

    private static Admin admin;

    KafkaResponderIT() {
        super(SquareServiceKafka.class, "spring.kafka.bootstrap-servers=" + SERVERS);
    }

    @BeforeAll
    static void makeReplyTopic() throws Exception {
        admin = Admin.create(
                Map.of("bootstrap.servers", SERVERS, "reconnect.backoff.max.ms", 500, "client.id", "test-admin"));
        makeTopic(REPLIES);
    }

    @AfterAll
    static void closeAdmin() {
        admin.close(Duration.ZERO);
    }

    private static void makeTopic(String name) throws Exception {
        admin.createTopics(List.of(new NewTopic(name, REPLY_PARTITIONS, (short) 1)))
                .all()
                .get(10, TimeUnit.SECONDS);
    }

    @Override
    protected Requester requester(RunningService service) {
        return new BareKafkaClient(SERVERS, REPLIES, 1);
    }

    private BareKafkaClient client() {
        return (BareKafkaClient) requester;
    }

    @Test
    void makesItsTopicWithSeveralPartitions() throws Exception {
        assertThat(admin.describeTopics(List.of(BareKafkaClient.REQUESTS))
                        .allTopicNames()
                        .get(10, TimeUnit.SECONDS)
                        .get(BareKafkaClient.REQUESTS)
                        .partitions())
                .hasSizeGreaterThan(1);
    }

    @Test
    void answersOnThePartitionThatIsNamed() {
        try (BareKafkaClient other = new BareKafkaClient(SERVERS, REPLIES, 2)) {
            assertThat(other.ask(3)).succeedsWithin(PATIENCE).isEqualTo(Requester.Answer.square(9));
            assertThat(ask(4)).succeedsWithin(PATIENCE).isEqualTo(Requester.Answer.square(16));
            assertThat(other.received()).hasSize(1);
            assertThat(client().received()).hasSize(1);
        }
    }

    @Test
    void answersASpringReplyingKafkaTemplate() throws Exception {
        makeTopic("template.replies");
        Map<String, Object> settings = Map.of("bootstrap.servers", SERVERS);
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
                                new ProducerRecord<>(BareKafkaClient.REQUESTS, Wire.input(number)))
                        .get(20, TimeUnit.SECONDS);
                assertThat(BareKafkaClient.answer(reply, number))
                        .isEqualTo(Requester.Answer.square((long) number * number));
            }
        } finally {
            template.stop();
            template.destroy();
            producers.destroy();
        }
    }

    static Stream<Named<byte @Nullable []>> valuesThatAreNoRequest() {
        return Stream.of(
                Named.of("garbage", new byte[] {(byte) 0xFF, 1, 2}),
                Named.of("text", bytes("5")),
                Named.of("empty", new byte[0]),
                Named.of("null", null),
                Named.of("a field that nobody knows", new byte[] {0x18, 5}));
    }

    @ParameterizedTest
    @MethodSource("valuesThatAreNoRequest")
    void refusesWhatIsNoRequestAndGoesOn(byte @Nullable [] value) {
        assertThat(client().send(value, headers -> {}))
                .succeedsWithin(PATIENCE)
                .satisfies(KafkaResponderIT::isAnErrorReply);
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
        assertThat(client().received()).first().satisfies(KafkaResponderIT::isAnErrorReply);
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
    void countsWhatNamesNoAddressAndGoesOn(Consumer<Headers> change) {
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
                .succeedsWithin(Duration.ofSeconds(1));
        await().atMost(PATIENCE).until(() -> service.squares("undeliverable") == undeliverable + 100);
    }

    @Test
    void findsAReplyTopicThatIsMadeAfterItWasMissed() throws Exception {
        int undeliverable = service.squares("undeliverable");
        client().send(Wire.input(3), headers -> headers.add(REPLY_TOPIC, bytes("late.replies")));
        await().atMost(PATIENCE).until(() -> service.squares("undeliverable") == undeliverable + 1);

        makeTopic("late.replies");

        try (BareKafkaClient late = new BareKafkaClient(SERVERS, "late.replies", 0)) {
            await().atMost(PATIENCE).ignoreExceptions().until(() -> late.ask(3).get(1, TimeUnit.SECONDS) != null);
        }
    }

    @Test
    void goesOnWhenAReplyTopicIsDeleted() throws Exception {
        makeTopic("doomed.replies");
        try (BareKafkaClient doomed = new BareKafkaClient(SERVERS, "doomed.replies", 0)) {
            assertThat(doomed.ask(3)).succeedsWithin(PATIENCE);
            admin.deleteTopics(List.of("doomed.replies")).all().get(10, TimeUnit.SECONDS);
            int undeliverable = service.squares("undeliverable");

            for (int i = 0; i < 100; i++) {
                doomed.ask(3);
            }

            assertThat(ask(3)).succeedsWithin(Duration.ofSeconds(3)).isEqualTo(Requester.Answer.square(9));
            await().atMost(PATIENCE).until(() -> service.squares("undeliverable") == undeliverable + 100);
            assertThat(ask(3)).succeedsWithin(Duration.ofSeconds(1)).isEqualTo(Requester.Answer.square(9));
        }
    }

    @Test
    void doesNotTalkToItselfWhereTheReplyTopicIsItsOwn() {
        int ok = service.squares("ok");
        int invalid = service.squares("invalid");

        client().send(Wire.input(3), headers -> headers.add(REPLY_TOPIC, bytes(BareKafkaClient.REQUESTS)));

        await().atMost(PATIENCE).until(() -> service.squares("invalid") == invalid + 1);
        assertThat(service.squares("ok")).isEqualTo(ok + 1);
        assertThat(ask(3)).succeedsWithin(PATIENCE).isEqualTo(Requester.Answer.square(9));
        assertThat(service.squares("invalid")).isEqualTo(invalid + 1);
    }

    @Test
    void logsAnInvalidRequestOnce(CapturedOutput output) {
        stopService();
        try (RunningService fresh = another();
                Requester requester = requester(fresh)) {
            await().atMost(PATIENCE).until(() -> fresh.health() == 200);
            assertThat(requester.ask(0)).succeedsWithin(PATIENCE);
            assertThat(requester.ask(-1)).succeedsWithin(PATIENCE);
        }
        assertThat(output.getOut().split("An invalid request over kafka", -1)).hasSize(2);
    }

    @Test
    void sharesTheWorkWithASecondResponder() {
        try (RunningService second = another()) {
            await().atMost(PATIENCE).until(() -> second.health() == 200);
            int before = service.squares("ok");

            List<CompletableFuture<Requester.Answer>> answers =
                    IntStream.rangeClosed(1, 1000).mapToObj(this::ask).toList();

            for (int number = 1; number <= 1000; number++) {
                assertThat(answers.get(number - 1))
                        .succeedsWithin(PATIENCE)
                        .isEqualTo(Requester.Answer.square((long) number * number));
            }
            assertThat(second.squares("ok")).isPositive();
            assertThat(service.squares("ok") - before).isPositive();
        }
        stopService();
    }

    @Test
    void answersAllThatItTookBeforeItStops() {
        RunningService second = another();
        await().atMost(PATIENCE).until(() -> second.health() == 200);
        List<CompletableFuture<Requester.Answer>> answers = new ArrayList<>();
        Thread stop = new Thread(second::close, "stop");

        for (int number = 1; number <= 20_000; number++) {
            answers.add(ask(number));
            if (number == 5_000) {
                stop.start();
            }
        }

        assertThat(CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new)))
                .succeedsWithin(PATIENCE);
        await().atMost(PATIENCE).until(() -> !stop.isAlive());
        stopService();
    }

    @AfterEach
    void restartBroker() {
        if (!broker.process().isAlive()) {
            broker.restart();
        }
    }

    @Test
    void isDownWithoutItsBrokerAndAnswersAgainWithinTenSeconds() {
        broker.kill();
        await().atMost(PATIENCE).until(() -> service.health() == 503);
        assertThat(service.get("/actuator/health").body()).contains("no broker answers at " + SERVERS);

        broker.restart();

        awaitAnswers(Duration.ofSeconds(10));
        assertThat(service.health()).isEqualTo(200);
    }

    @Test
    void stopsAtOnceWhenItsBrokerHasDied() {
        broker.kill();
        stopsAtOnce(KafkaResponderIT::isOfKafka);
    }

    @Test
    void startsAndStopsBeforeItsBroker() {
        stopService();
        broker.kill();
        stopsAtOnce(another(), KafkaResponderIT::isOfKafka);
        try (RunningService early = another()) {
            assertThat(early.health()).isEqualTo(503);

            broker.restart();

            requester = requester(early);
            awaitAnswers(Duration.ofSeconds(10));
            assertThat(early.health()).isEqualTo(200);
        }
    }

    @Test
    void startsAndStopsWhereItsBrokersNameIsUnknown() {
        stopService();
        RunningService lost = RunningService.start(
                SquareServiceKafka.class, "spring.kafka.bootstrap-servers=no-such-host.invalid:9092");
        assertThat(lost.health()).isEqualTo(503);
        stopsAtOnce(lost, KafkaResponderIT::isOfKafka);
    }

    /** All but the one of this test's own admin client. */
    private static boolean isOfKafka(String threadName) {
        return threadName.contains("kafka") && !threadName.endsWith("| test-admin") || threadName.contains("-C-");
    }
}
