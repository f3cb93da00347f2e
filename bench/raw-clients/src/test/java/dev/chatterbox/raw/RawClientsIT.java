package dev.chatterbox.raw;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.chatterbox.brokers.ArtemisBroker;
import dev.chatterbox.brokers.KafkaBroker;
import dev.chatterbox.brokers.NatsServer;
import dev.chatterbox.brokers.RabbitMq;
import dev.chatterbox.brokers.RunningBroker;
import dev.chatterbox.processes.ChildProcess;
import dev.chatterbox.processes.JavaCommand;
import dev.chatterbox.processes.Lifetime;
import dev.chatterbox.rows.Row;
import dev.chatterbox.rows.Rows;
import dev.chatterbox.square.common.ResponderProcess;
import dev.chatterbox.square.common.SharedBroker;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each client as the comparison starts it, against the real responder and the real broker. */
@Tag("long")
class RawClientsIT {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String REPLIES = "square.replies";
    private static final int PARTITIONS = 4;
    private static final Pattern RESULT = Pattern.compile(
            "@chatterbox \\{\"event\":\"raw\",\"calls\":(\\d+),\"seconds\":([\\d.]+),\"failed\":(\\d+),\"wrong\":(\\d+),\"inFlight\":(\\d+)}");

    private static final Pattern PORT = Pattern.compile("\\$\\{port\\.(\\w+)}");

    private static final Pattern TRIED =
            Pattern.compile("@chatterbox \\{\"event\":\"tried\",\"inFlight\":(\\d+),\"callsPerSecond\":(\\d+)}");

    /** The transports without a broker, as their rows describe responder and client. */
    static Stream<Row> direct() {
        return Rows.read(Path.of("..", "..", "rows")).all().stream()
                .filter(row -> row.name().equals(row.transport()))
                .filter(row -> row.responder().isPresent() && row.broker().isEmpty());
    }

    @ParameterizedTest
    @MethodSource("direct")
    void measuresATransportWithoutABroker(Row row) throws Exception {
        try (ResponderProcess responder =
                responder(row.responder().orElseThrow().program(), Map.of(), Map.of())) {
            Map<String, String> environment = new TreeMap<>(row.aggregatorEnvironment());
            environment.replaceAll((variable, value) ->
                    PORT.matcher(value).replaceAll(role -> Integer.toString(responder.port(role.group(1)))));
            String type = row.rawClient().orElseThrow().substring("dev.chatterbox.raw.".length());
            measures(client(type, environment), 256);
            assertThat(responder.squares("ok")).isPositive();
        }
    }

    @Test
    void restCarriesNoMoreThanItsConnections() throws Exception {
        try (ResponderProcess responder = responder("square-service-rest", Map.of(), Map.of())) {
            ChildProcess client = start(
                    "rest.RawRestClient",
                    Map.of("SQUARE_REST_URL", responder.uri("").toString()),
                    List.of("--in-flight", "2048"));
            measures(client, 512);
        }
    }

    @Test
    void measuresNats() throws Exception {
        Map<String, String> address = Map.of("subject", "test.squares", "queue-group", "test");
        try (RunningBroker server = new NatsServer().start();
                ResponderProcess responder = responder("square-service-nats", address, server.environment())) {
            ChildProcess client = client("nats.RawNatsClient", server.environment(), "--address.subject=test.squares");
            measures(client, 256);
            assertThat(responder.squares("ok")).isPositive();
        }
    }

    @Test
    void measuresArtemis() throws Exception {
        try (RunningBroker broker = new ArtemisBroker().start();
                ResponderProcess responder = responder(
                        "services/square-service-artemis", Map.of("queue", "test.squares"), broker.environment())) {
            ChildProcess client =
                    client("artemis.RawArtemisClient", broker.environment(), "--address.queue=test.squares");
            measures(client, 256);
            assertThat(responder.squares("ok")).isPositive();

            ChildProcess nowhere = client("artemis.RawArtemisClient", broker.environment(), "--address.queue=no.such");
            await().atMost(PATIENCE).until(() -> !nowhere.isAlive());
            assertThat(log(nowhere)).contains("there is no queue no.such");
        }
    }

    @Test
    void measuresJetStream() throws Exception {
        Map<String, String> address = Map.of("subject", "test.stored", "queue-group", "test");
        try (RunningBroker server = new NatsServer().start()) {
            Map<String, String> environment = new TreeMap<>(server.environment());
            environment.put("NATS_STREAM", "test");
            try (ResponderProcess responder = responder("square-service-nats", address, environment)) {
                ChildProcess client =
                        client("nats.RawJetStreamClient", server.environment(), "--address.subject=test.stored");
                measures(client, 256);
                assertThat(responder.squares("ok")).isPositive();

                ChildProcess nowhere =
                        client("nats.RawJetStreamClient", server.environment(), "--address.subject=no.such");
                await().atMost(PATIENCE).until(() -> !nowhere.isAlive());
                assertThat(log(nowhere)).contains("no stream takes the subject");
            }
        }
    }

    @Test
    void measuresRabbitMq() throws Exception {
        SharedBroker.require(new RabbitMq());
        try (RunningBroker server = new RabbitMq().start();
                ResponderProcess responder = responder(
                        "services/square-service-rabbitmq", Map.of("queue", "test.squares"), server.environment())) {
            ChildProcess client =
                    client("rabbitmq.RawRabbitMqClient", server.environment(), "--address.queue=test.squares");
            measures(client, 256);
            assertThat(responder.squares("ok")).isPositive();

            ChildProcess nowhere =
                    client("rabbitmq.RawRabbitMqClient", server.environment(), "--address.queue=no.such");
            await().atMost(PATIENCE).until(() -> !nowhere.isAlive());
            assertThat(log(nowhere)).contains("there is no queue no.such");
        }
    }

    @Test
    void measuresKafkaOverAReplyTopicOfItsOwnThatIsGoneAfterwards() throws Exception {
        Map<String, String> address = Map.of("request-topic", "test.requests", "group", "test");
        try (RunningBroker broker = new KafkaBroker().start();
                ResponderProcess responder = responder("square-service-kafka", address, broker.environment());
                Admin admin = Admin.create(Map.of("bootstrap.servers", "127.0.0.1:" + broker.port()))) {
            admin.createTopics(List.of(new NewTopic(REPLIES, PARTITIONS, (short) 1)))
                    .all()
                    .get(20, TimeUnit.SECONDS);
            Set<String> topics = topics(admin);

            measures(kafkaClient(broker, "test.requests"), 256);
            assertThat(endOffsets(admin)).containsOnly(0L);
            assertThat(responder.squares("ok")).isPositive();
            assertThat(responder.squares("undeliverable")).isZero();
            assertThat(topics(admin)).isEqualTo(topics);

            ChildProcess stopped = kafkaClient(broker, "test.requests");
            await().atMost(PATIENCE).until(() -> log(stopped).contains("\"measure\""));
            assertThat(topics(admin)).hasSize(topics.size() + 1);
            stopped.stop(PATIENCE);
            assertThat(topics(admin)).isEqualTo(topics);

            ChildProcess failed = kafkaClient(broker, "no.such.requests");
            await().atMost(PATIENCE).until(() -> !failed.isAlive());
            assertThat(log(failed)).contains("no.such.requests").doesNotContain("@chatterbox");
            assertThat(topics(admin)).isEqualTo(topics);
        }
    }

    @Test
    void findsHowManyCallsInFlightAreBest() throws Exception {
        try (ResponderProcess responder = responder("square-service-rest", Map.of(), Map.of())) {
            ChildProcess client = start(
                    "rest.RawRestClient",
                    Map.of("SQUARE_REST_URL", responder.uri("").toString()),
                    List.of());
            await().atMost(PATIENCE).until(() -> !client.isAlive());
            Map<Integer, Integer> tried = new TreeMap<>();
            Matcher lines = TRIED.matcher(log(client));
            while (lines.find()) {
                tried.put(Integer.parseInt(lines.group(1)), Integer.parseInt(lines.group(2)));
            }
            assertThat(tried).containsOnlyKeys(32, 128, 512);
            int best = Collections.max(tried.entrySet(), Map.Entry.comparingByValue())
                    .getKey();
            measures(client, best);
        }
    }

    @Test
    void saysWhichPartOfTheAddressIsMissing() throws Exception {
        ChildProcess client = client("kafka.RawKafkaClient", Map.of());
        await().atMost(PATIENCE).until(() -> !client.isAlive());
        assertThat(log(client)).contains("--address.request-topic=VALUE is missing");
    }

    private static ResponderProcess responder(
            String program, Map<String, String> address, Map<String, String> environment) {
        Path folder = Path.of("..", "..", program);
        ResponderProcess responder =
                ResponderProcess.start(folder, folder.getFileName().toString(), address, environment);
        await().atMost(PATIENCE).until(() -> responder.health() == 200);
        return responder;
    }

    private static ChildProcess kafkaClient(RunningBroker broker, String requestTopic) throws IOException {
        return client("kafka.RawKafkaClient", broker.environment(), "--address.request-topic=" + requestTopic);
    }

    private static ChildProcess client(String type, Map<String, String> environment, String... address)
            throws IOException {
        return start(
                type,
                environment,
                Stream.concat(Stream.of("--in-flight", "256"), Stream.of(address))
                        .toList());
    }

    private static ChildProcess start(String type, Map<String, String> environment, List<String> more)
            throws IOException {
        List<String> arguments = new ArrayList<>(List.of(
                "-cp",
                "target/raw-clients.jar" + File.pathSeparator + "target/lib/*",
                "dev.chatterbox.raw." + type,
                "--warm-up-seconds",
                "1",
                "--warm-up-at-most-seconds",
                "1",
                "--seconds",
                "1"));
        arguments.addAll(more);
        ProcessBuilder builder = new ProcessBuilder(JavaCommand.of(arguments));
        builder.environment().putAll(environment);
        Path log = Files.createTempFile(Path.of("target"), "raw-client", ".log");
        return ChildProcess.start("raw-client", builder, log, Lifetime.WITH_PARENT);
    }

    private static void measures(ChildProcess client, int inFlight) throws IOException {
        await().atMost(PATIENCE).until(() -> !client.isAlive());
        String log = log(client);
        assertThat(log).containsSubsequence("\"measure\"", "\"measured\"", "\"raw\"");
        Matcher result = RESULT.matcher(log);
        assertThat(result.find()).as(log).isTrue();
        assertThat(Long.parseLong(result.group(1))).isPositive();
        assertThat(Double.parseDouble(result.group(2))).isBetween(1.0, 5.0);
        assertThat(result.group(3)).as("failed").isEqualTo("0");
        assertThat(result.group(4)).as("wrong").isEqualTo("0");
        assertThat(result.group(5)).as("in flight").isEqualTo(Integer.toString(inFlight));
    }

    private static String log(ChildProcess client) throws IOException {
        return Files.readString(client.log());
    }

    /** Also those that are marked for deletion. */
    private static Set<String> topics(Admin admin) throws Exception {
        return admin.listTopics().names().get(20, TimeUnit.SECONDS);
    }

    private static List<Long> endOffsets(Admin admin) throws Exception {
        List<Long> offsets = new ArrayList<>();
        for (int partition = 0; partition < PARTITIONS; partition++) {
            TopicPartition of = new TopicPartition(REPLIES, partition);
            offsets.add(admin.listOffsets(Map.of(of, OffsetSpec.latest()))
                    .partitionResult(of)
                    .get(20, TimeUnit.SECONDS)
                    .offset());
        }
        return offsets;
    }
}
