package dev.chatterbox.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.chatterbox.brokers.KafkaBroker;
import dev.chatterbox.brokers.NatsServer;
import dev.chatterbox.brokers.RunningBroker;
import dev.chatterbox.processes.ChildProcess;
import dev.chatterbox.processes.JavaCommand;
import dev.chatterbox.processes.Lifetime;
import dev.chatterbox.proto.Input;
import dev.chatterbox.proto.Output;
import dev.chatterbox.proto.Square;
import dev.chatterbox.responder.ResponderProcess;
import dev.chatterbox.workloads.Load;
import dev.chatterbox.workloads.Slice;
import dev.chatterbox.workloads.SliceChannel;
import dev.chatterbox.workloads.SliceResult;
import dev.chatterbox.workloads.Workload;
import io.nats.client.Connection;
import io.nats.client.Message;
import io.nats.client.Nats;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Starts each client as the comparison does, against the real responder and the real broker. */
@Tag("long")
class RawClientsIT {

    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final String REPLIES = "square.replies";
    private static final int PARTITIONS = 4;
    private static final long CALLS = 5_000;

    @Test
    void measuresRest() throws Exception {
        try (ResponderProcess responder = responder("square-service-rest", Map.of(), Map.of());
                Client client = client(
                        "RawRestClient",
                        Map.of("SQUARE_REST_URL", responder.uri("").toString()))) {
            measures(client, responder);
        }
    }

    @Test
    void restCarriesNoMoreThanItsConnections() throws Exception {
        try (ResponderProcess responder = responder("square-service-rest", Map.of(), Map.of());
                Client client = client(
                        "RawRestClient",
                        Map.of("SQUARE_REST_URL", responder.uri("").toString()))) {
            SliceResult result = client.run(2048, CALLS, 0);

            assertThat(result.inFlight()).isEqualTo(128);
            assertThat(result.right()).isEqualTo(CALLS);
        }
    }

    /** The responders in Python close connections that were idle for some seconds, and a slice comes less often. */
    @Test
    void restConnectsAgainWhenTheServerHasClosedItsConnections() throws Exception {
        Map<String, String> patience = Map.of("SERVER_NETTY_IDLE_TIMEOUT", "5s");
        try (ResponderProcess responder = responder("square-service-rest", Map.of(), patience);
                Client client = client(
                        "RawRestClient",
                        Map.of("SQUARE_REST_URL", responder.uri("").toString()))) {
            String port = ":%04X".formatted(responder.uri("").getPort());
            assertThat(client.run(128, CALLS, 0).right()).isEqualTo(CALLS);
            await().atMost(PATIENCE).until(() -> connections(port) == 0);

            SliceResult result = client.run(128, CALLS, 0);

            assertThat(result.right()).isEqualTo(CALLS);
            assertThat(result.failures()).isEmpty();
            assertThat(connections(port)).isBetween(1L, 128L);
        }
    }

    /** How many connections to a port are open, or closed by the server alone: see proc_net_tcp.txt of the kernel. */
    private static long connections(String port) throws IOException {
        List<String> sockets = new ArrayList<>(Files.readAllLines(Path.of("/proc/net/tcp")));
        sockets.addAll(Files.readAllLines(Path.of("/proc/net/tcp6")));
        return sockets.stream()
                .map(socket -> socket.strip().split("\\s+"))
                .filter(socket -> socket[2].endsWith(port) && Set.of("01", "08").contains(socket[3]))
                .count();
    }

    @Test
    void endsASliceAfterItsSeconds() throws Exception {
        try (ResponderProcess responder = responder("square-service-rest", Map.of(), Map.of());
                Client client = client(
                        "RawRestClient",
                        Map.of("SQUARE_REST_URL", responder.uri("").toString()))) {
            SliceResult timed = client.run(32, 0, 0.5);
            assertThat(timed.seconds()).isBetween(0.5, 5.0);
            assertThat(timed.right()).isGreaterThanOrEqualTo(32);
            assertThat((double) timed.right()).isEqualTo(responder.squares("ok"));
        }
    }

    @Test
    void measuresNats() throws Exception {
        Map<String, String> address = Map.of("subject", "test.squares", "queue-group", "test");
        try (RunningBroker server = RunningBroker.start(new NatsServer());
                ResponderProcess responder = responder("square-service-nats", address, server.environment());
                Client client = client("RawNatsClient", server.environment(), "--address.subject=test.squares");
                Client nowhere = client("RawNatsClient", server.environment(), "--address.subject=no.such")) {
            measures(client, responder);
            sendsNothing(nowhere, "nobody listens");
        }
    }

    @Test
    void countsNeitherALostNorADoubledReply() throws Exception {
        try (RunningBroker server = RunningBroker.start(new NatsServer());
                Connection connection = Nats.connect("nats://127.0.0.1:" + server.port());
                Client client = client("RawNatsClient", server.environment(), "--address.subject=odd")) {
            connection
                    .createDispatcher(request -> {
                        int number = number(request);
                        byte[] reply = Output.newBuilder()
                                .setNumber(number)
                                .setResult(Square.of(number) + (number == 30 ? 1 : 0))
                                .build()
                                .toByteArray();
                        for (int copies = number == 10 ? 0 : number == 20 ? 2 : 1; copies > 0; copies--) {
                            connection.publish(request.getReplyTo(), reply);
                        }
                    })
                    .subscribe("odd");
            connection.flush(PATIENCE);

            // Ids 0 to 99 have the numbers 1 to 100; the next ones are 16,384 later.
            SliceResult result = client.run(100, 100, 0);

            assertThat(result.right()).isEqualTo(98);
            assertThat(result.failures()).isEqualTo(Map.of("timeout", 1L, "unmatched", 1L, "wrong", 1L));
            assertThat(result.seconds()).isBetween(4.0, 20.0);
            assertThat(client.run(100, 100, 0).failures())
                    .as("with other numbers")
                    .isEmpty();
        }
    }

    private static int number(Message request) {
        try {
            return Input.parseFrom(request.getData()).getNumber();
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalArgumentException(e);
        }
    }

    @Test
    void measuresKafkaOverAReplyTopicOfItsOwnThatIsGoneAfterwards() throws Exception {
        Map<String, String> address = Map.of("request-topic", "test.requests", "group", "test");
        try (RunningBroker broker = RunningBroker.start(new KafkaBroker());
                ResponderProcess responder = responder("square-service-kafka", address, broker.environment());
                Admin admin = Admin.create(Map.of("bootstrap.servers", "127.0.0.1:" + broker.port()))) {
            admin.createTopics(List.of(new NewTopic(REPLIES, PARTITIONS, (short) 1)))
                    .all()
                    .get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            Set<String> topics = topics(admin);

            try (Client client = kafkaClient(broker)) {
                measures(client, responder);
                assertThat(topics(admin)).hasSize(topics.size() + 1);
            }
            assertThat(endOffsets(admin)).containsOnly(0L);
            assertThat(responder.squares("undeliverable")).isZero();
            assertThat(topics(admin)).isEqualTo(topics);

            try (Client stopped = kafkaClient(broker)) {
                assertThat(topics(admin)).hasSize(topics.size() + 1);
                stopped.process.stop(PATIENCE);
                assertThat(topics(admin)).isEqualTo(topics);
            }

            assertCannotRun(
                    start("RawKafkaClient", broker.environment(), "--address.request-topic=no.such.requests"),
                    "no.such.requests");
            assertThat(topics(admin)).isEqualTo(topics);
        }
    }

    @Test
    void saysWhichPartOfTheAddressIsMissing() throws Exception {
        assertCannotRun(start("RawKafkaClient", Map.of()), "--address.request-topic=VALUE is missing");
    }

    /** Carries out several slices, and checks the counts to the last call. */
    private static void measures(Client client, ResponderProcess responder) throws IOException {
        for (int inFlight : List.of(128, 1)) {
            long calls = inFlight == 1 ? 50 : CALLS;
            SliceResult result = client.run(inFlight, calls, 0);
            assertThat(result.right()).isEqualTo(calls);
            assertThat(result.failures()).isEmpty();
            assertThat(result.inFlight()).isEqualTo(inFlight);
            assertThat(result.seconds()).isPositive();
        }
        assertThat(responder.squares("ok")).isEqualTo(CALLS + 50);
    }

    private static void sendsNothing(Client client, String reason) throws IOException {
        SliceResult result = client.run(4, CALLS, 0);
        assertThat(result.right()).isZero();
        assertThat(result.failures()).isEqualTo(Map.of("unsent", 4L));
        assertThat(log(client.process)).contains(reason);
    }

    private static void assertCannotRun(ChildProcess client, String reason) throws IOException {
        await().atMost(PATIENCE).until(() -> !client.isAlive());
        assertThat(log(client)).contains("The program cannot run", reason);
    }

    private static ResponderProcess responder(
            String program, Map<String, String> address, Map<String, String> environment) {
        Path folder = Path.of("..", "..", program);
        ResponderProcess responder =
                ResponderProcess.start(folder, folder.getFileName().toString(), address, environment);
        await().atMost(PATIENCE).until(() -> responder.health() == 200);
        return responder;
    }

    private static Client kafkaClient(RunningBroker broker) throws IOException {
        return client("RawKafkaClient", broker.environment(), "--address.request-topic=test.requests");
    }

    /** A client that has connected to its broker or server, and to this test in place of the bench. */
    private record Client(ChildProcess process, SliceChannel channel) implements AutoCloseable {

        SliceResult run(int inFlight, long calls, double seconds) throws IOException {
            channel.order(slice(inFlight, calls, seconds));
            return channel.result(PATIENCE).orElseThrow(() -> new AssertionError("no result: " + process.log()));
        }

        @Override
        public void close() throws IOException {
            channel.close();
            await().atMost(PATIENCE).until(() -> !process.isAlive());
        }
    }

    private static Slice slice(int inFlight, long calls, double seconds) {
        return new Slice("1", "raw", Workload.unary(1, new Load.Users(inFlight)), calls, seconds);
    }

    private static Client client(String type, Map<String, String> environment, String... address) throws IOException {
        try (SliceChannel.Listener bench = new SliceChannel.Listener()) {
            Map<String, String> all = new TreeMap<>(environment);
            all.putAll(bench.environment());
            ChildProcess process = start(type, all, address);
            SliceChannel channel = bench.accept(PATIENCE)
                    .orElseThrow(() -> new AssertionError("the client does not come: " + process.log()));
            return new Client(process, channel);
        }
    }

    private static ChildProcess start(String type, Map<String, String> environment, String... address)
            throws IOException {
        List<String> arguments = new ArrayList<>(List.of(
                "-cp", "target/clients.jar" + File.pathSeparator + "target/lib/*", "dev.chatterbox.clients." + type));
        arguments.addAll(List.of(address));
        ProcessBuilder builder = new ProcessBuilder(JavaCommand.of(arguments));
        builder.environment().putAll(environment);
        Path log = Files.createTempFile(Path.of("target"), "raw-client", ".log");
        return ChildProcess.start("raw-client", builder, log, Lifetime.WITH_PARENT);
    }

    private static String log(ChildProcess client) throws IOException {
        return Files.readString(client.log());
    }

    /** The topics, also those that are marked for deletion. */
    private static Set<String> topics(Admin admin) throws Exception {
        return admin.listTopics().names().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    private static List<Long> endOffsets(Admin admin) throws Exception {
        List<Long> offsets = new ArrayList<>();
        for (int partition = 0; partition < PARTITIONS; partition++) {
            TopicPartition of = new TopicPartition(REPLIES, partition);
            offsets.add(admin.listOffsets(Map.of(of, OffsetSpec.latest()))
                    .partitionResult(of)
                    .get(PATIENCE.toSeconds(), TimeUnit.SECONDS)
                    .offset());
        }
        return offsets;
    }
}
