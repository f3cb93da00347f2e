package dev.chatterbox.aggregator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.chatterbox.brokers.Broker;
import dev.chatterbox.brokers.Configured;
import dev.chatterbox.brokers.RunningBroker;
import dev.chatterbox.client.RealResponder;
import dev.chatterbox.client.TestVariants;
import dev.chatterbox.processes.ChildProcess;
import dev.chatterbox.processes.Ports;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ScramCredentialInfo;
import org.apache.kafka.clients.admin.ScramMechanism;
import org.apache.kafka.clients.admin.UserScramCredentialUpsertion;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Brokers that require TLS and a password, with an aggregator and responders as processes that connect to them. */
@Tag("long")
class SecuredBrokersIT {

    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final String USER = "square";
    private static final String PASSWORD = "p4ssw0rd-that-nobody-shows";
    private static final String STORE_PASSWORD = "store-p4ssw0rd";

    @TempDir
    private Path directory;

    private final Iterator<Integer> ports = Ports.free(5).iterator();
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable closeable : opened) {
            closeable.close();
        }
    }

    private <T extends AutoCloseable> T open(T closeable) {
        opened.push(closeable);
        return closeable;
    }

    /** All in one test, because each process takes its time to start. */
    @Test
    void aWrongPasswordIsSaidAndTheRightOneAnswersAndNeitherIsShown() throws Exception {
        KeyStores stores = KeyStores.make(directory, STORE_PASSWORD);
        natsKnows("another");
        RunningBroker nats = open(nats(stores));
        int kafkaPort = ports.next();
        RunningBroker kafka = open(kafka(stores, kafkaPort));
        kafkaKnows(kafka, "another");
        Map<String, String> environment = environment(stores, nats.port(), kafkaPort);
        RealResponder natsResponder = open(RealResponder.launch(TestVariants.find("nats"), environment));
        // Its replies come through a stream too, so that each new connection must make that stream again as well.
        RealResponder streamResponder = open(RealResponder.launch(TestVariants.find("jetstream-replies"), environment));
        RealResponder kafkaResponder = open(RealResponder.launch(TestVariants.find("kafka"), environment));
        AggregatorProcess process = open(AggregatorProcess.start("nats,jetstream-replies,kafka", environment));
        Http aggregator = process.http();

        awaitReason(
                aggregator, "nats", "no connection to the NATS server at tls://127.0.0.1:", "Authorization Violation");
        awaitReason(aggregator, "kafka", "refuses this client: Authentication failed");
        for (String variant : List.of("nats", "kafka")) {
            HttpResponse<String> refused = aggregator.get("/" + variant + "/square/unary/3");
            assertThat(refused.statusCode()).isEqualTo(503);
            assertThat(aggregator.metric("chatterbox_calls_seconds_count", "transport=\"" + variant, "timeout"))
                    .as("calls over %s that waited for their deadline", variant)
                    .isZero();
        }
        awaitHealth(natsResponder, 503, "Authorization Violation");
        awaitHealth(kafkaResponder, 503, "refuses this responder: Authentication failed");

        natsKnows(PASSWORD);
        nats.restart();
        kafkaKnows(kafka, PASSWORD);
        for (String variant : List.of("nats", "jetstream-replies", "kafka")) {
            awaitSquares(aggregator, variant);
        }

        natsKnows("another");
        nats.restart();
        awaitReason(aggregator, "nats", "Authorization Violation");
        awaitHealth(natsResponder, 503, "Authorization Violation");
        // Each connection was refused at first, and is refused again: those of two variants, and one of each responder.
        awaitAttempts(process.process(), 2 * 2);
        awaitAttempts(natsResponder.process(), 2);
        awaitAttempts(streamResponder.process(), 2);
        natsKnows(PASSWORD);
        nats.restart();
        awaitSquares(aggregator, "nats");
        awaitSquares(aggregator, "jetstream-replies");

        assertThat(aggregator.get("/transports").body()).contains("\"SASL_SSL\"");
        for (String path : List.of("/transports", "/actuator/health", "/actuator/info", "/actuator/prometheus")) {
            holdsNoPassword(aggregator.get(path).body());
        }
        List<RealResponder> responders = List.of(natsResponder, streamResponder, kafkaResponder);
        for (RealResponder responder : responders) {
            for (String path : List.of("/actuator/health", "/actuator/info", "/actuator/prometheus")) {
                holdsNoPassword(responder.get(path).body());
            }
        }
        for (ChildProcess child : Stream.concat(
                        Stream.of(process.process()), responders.stream().map(RealResponder::process))
                .toList()) {
            String log = Files.readString(child.log());
            holdsNoPassword(log);
            assertThat(log.lines()).as("no flood, and no stack trace").hasSizeLessThan(100);
            assertThat(log).doesNotContain("\tat ");
        }
    }

    private static void holdsNoPassword(String text) {
        assertThat(text).isNotEmpty().doesNotContain(PASSWORD, STORE_PASSWORD);
    }

    private static void awaitReason(Http aggregator, String variant, String... reasonParts) {
        await().atMost(PATIENCE).ignoreExceptions().untilAsserted(() -> {
            String transports = aggregator.get("/transports").body();
            String text = transports.substring(transports.indexOf("{\"name\":\"%s\"".formatted(variant)));
            assertThat(text.substring(0, text.indexOf("\"settings\"")))
                    .contains("\"state\":\"down\"")
                    .contains(reasonParts);
        });
    }

    private static void awaitHealth(RealResponder responder, int status, String bodyPart) {
        await().atMost(PATIENCE).ignoreExceptions().untilAsserted(() -> {
            HttpResponse<String> health = responder.get("/actuator/health");
            assertThat(health.statusCode()).isEqualTo(status);
            assertThat(health.body()).contains(bodyPart);
        });
    }

    /** Each connection logs its first failure, and the first one after it was open. */
    private static void awaitAttempts(ChildProcess process, int count) {
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(Files.readString(process.log()).lines())
                        .filteredOn(line -> line.contains("No connection to the NATS server"))
                        .hasSize(count));
    }

    private static void awaitSquares(Http aggregator, String variant) {
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(aggregator
                                .get("/" + variant + "/square/unary/3")
                                .body())
                        .isEqualTo("[{\"1\":1},{\"2\":4},{\"3\":9}]"));
    }

    /** The settings that docs/tls.md describes, for the aggregator and the responders alike. */
    private Map<String, String> environment(KeyStores stores, int natsPort, int kafkaPort) throws IOException {
        Path properties = directory.resolve("nats.properties");
        Files.writeString(properties, """
                io.nats.client.username=%s
                io.nats.client.password=%s
                io.nats.client.trustStore=%s
                io.nats.client.trustStorePassword=%s
                """.formatted(USER, PASSWORD, stores.trust(), STORE_PASSWORD));
        Map<String, String> environment = new HashMap<>();
        environment.put("NATS_SERVER", "tls://127.0.0.1:" + natsPort);
        environment.put("NATS_PROPERTIES", properties.toString());
        environment.put("KAFKA_BOOTSTRAP_SERVERS", "127.0.0.1:" + kafkaPort);
        environment.put("SPRING_KAFKA_PROPERTIES_SECURITY_PROTOCOL", "SASL_SSL");
        environment.put("SPRING_KAFKA_PROPERTIES_SASL_MECHANISM", "SCRAM-SHA-256");
        environment.put(
                "SPRING_KAFKA_PROPERTIES_SASL_JAAS_CONFIG",
                "org.apache.kafka.common.security.scram.ScramLoginModule required username=\"%s\" password=\"%s\";"
                        .formatted(USER, PASSWORD));
        environment.put(
                "SPRING_KAFKA_PROPERTIES_SSL_TRUSTSTORE_LOCATION",
                stores.trust().toString());
        environment.put("SPRING_KAFKA_PROPERTIES_SSL_TRUSTSTORE_PASSWORD", STORE_PASSWORD);
        return environment;
    }

    private RunningBroker nats(KeyStores stores) {
        Broker server = Configured.nats("""
                tls {
                  cert_file: "%s"
                  key_file: "%s"
                }
                include "users.conf"
                """.formatted(stores.certificate(), stores.key()));
        return RunningBroker.start(server, Map.of("client", ports.next(), "monitor", ports.next()), directory);
    }

    /** The server uses the password from its next start on. */
    private void natsKnows(String password) throws IOException {
        Path users = directory.resolve("nats/users.conf");
        Files.createDirectories(users.getParent());
        Files.writeString(users, "authorization { user: \"%s\", password: \"%s\" }".formatted(USER, password));
    }

    /** @param securedPort in addition to the port for clients, at which the test makes users */
    private RunningBroker kafka(KeyStores stores, int securedPort) {
        int client = ports.next();
        int controller = ports.next();
        Broker broker = Configured.kafka(Map.of(
                "listeners",
                "PLAINTEXT://127.0.0.1:%d,SASL_SSL://127.0.0.1:%d,CONTROLLER://127.0.0.1:%d"
                        .formatted(client, securedPort, controller),
                "listener.security.protocol.map",
                "PLAINTEXT:PLAINTEXT,SASL_SSL:SASL_SSL,CONTROLLER:PLAINTEXT",
                "sasl.enabled.mechanisms",
                "SCRAM-SHA-256",
                "listener.name.sasl_ssl.scram-sha-256.sasl.jaas.config",
                "org.apache.kafka.common.security.scram.ScramLoginModule required;",
                "ssl.keystore.location",
                stores.identity().toString(),
                "ssl.keystore.password",
                STORE_PASSWORD));
        return RunningBroker.start(broker, Map.of("client", client, "controller", controller), directory);
    }

    private static void kafkaKnows(RunningBroker kafka, String password) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", "127.0.0.1:" + kafka.port()))) {
            admin.alterUserScramCredentials(List.of(new UserScramCredentialUpsertion(
                            USER,
                            new ScramCredentialInfo(ScramMechanism.SCRAM_SHA_256, 4096),
                            password.getBytes(StandardCharsets.UTF_8))))
                    .all()
                    .get();
        }
    }
}
