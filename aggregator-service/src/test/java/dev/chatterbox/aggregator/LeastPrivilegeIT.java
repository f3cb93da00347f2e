package dev.chatterbox.aggregator;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.chatterbox.brokers.Broker;
import dev.chatterbox.brokers.Configured;
import dev.chatterbox.brokers.RunningBroker;
import dev.chatterbox.brokers.Unavailable;
import dev.chatterbox.client.RealResponder;
import dev.chatterbox.client.TestVariants;
import dev.chatterbox.processes.Ports;
import dev.chatterbox.transport.CallMode;
import java.io.IOException;
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
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Brokers whose two users may do just what docs/tls.md says that a requester and a responder need. */
@Tag("long")
class LeastPrivilegeIT {

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    @TempDir
    private Path directory;

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

    @Test
    void natsAndJetStreamNeedTheseSubjects() throws Exception {
        RunningBroker nats = open(RunningBroker.start(Configured.nats("""
                        authorization {
                          users: [
                            { user: requester, password: secret, permissions: {
                              publish: ["nats.square.service", "nats.square.service.batch", "jetstream.square.file",
                                        "$SRV.PING.square-service", "$SRV.PING.square-service-jetstream"]
                              subscribe: ["_INBOX.>"] } }
                            { user: responder, password: secret, permissions: {
                              publish: ["_INBOX.>", "$JS.API.INFO",
                                        "$JS.API.STREAM.CREATE.squares-file", "$JS.API.STREAM.UPDATE.squares-file",
                                        "$JS.API.STREAM.INFO.squares-file",
                                        "$JS.API.CONSUMER.*.squares-file.>", "$JS.ACK.squares-file.>",
                                        "$JS.API.CONSUMER.MSG.NEXT.squares-file.>",
                                        "$JS.API.STREAM.CREATE.squares-memory", "$JS.API.STREAM.UPDATE.squares-memory",
                                        "$JS.API.STREAM.INFO.squares-memory",
                                        "$JS.API.CONSUMER.*.squares-memory.>", "$JS.ACK.squares-memory.>",
                                        "$JS.API.CONSUMER.MSG.NEXT.squares-memory.>"]
                              subscribe: ["nats.square.service", "nats.square.service.batch", "$SRV.>", "_INBOX.>"] } }
                          ]
                        }
                        """), ports("client", "monitor"), directory));
        String server = "nats://127.0.0.1:" + nats.port();

        answers(
                List.of("nats", "jetstream"),
                Map.of("NATS_SERVER", server, "NATS_PROPERTIES", natsUser("requester")),
                Map.of("NATS_SERVER", server, "NATS_PROPERTIES", natsUser("responder")));
    }

    private String natsUser(String user) throws IOException {
        Path file = directory.resolve(user + ".properties");
        Files.writeString(file, "io.nats.client.username=%s\nio.nats.client.password=secret\n".formatted(user));
        return file.toString();
    }

    @Test
    void kafkaNeedsTheseTopicsAndThisGroup() throws Exception {
        Map<String, Integer> ports = ports("client", "controller", "secured");
        Map<String, Integer> own = new HashMap<>(ports);
        int secured = own.remove("secured");
        RunningBroker kafka = open(RunningBroker.start(
                Configured.kafka(Map.ofEntries(
                        entry(
                                "listeners",
                                "PLAINTEXT://127.0.0.1:%d,SASL_PLAINTEXT://127.0.0.1:%d,CONTROLLER://127.0.0.1:%d"
                                        .formatted(ports.get("client"), secured, ports.get("controller"))),
                        entry(
                                "listener.security.protocol.map",
                                "PLAINTEXT:PLAINTEXT,SASL_PLAINTEXT:SASL_PLAINTEXT,CONTROLLER:PLAINTEXT"),
                        entry("sasl.enabled.mechanisms", "PLAIN"),
                        entry(
                                "listener.name.sasl_plaintext.plain.sasl.jaas.config",
                                "org.apache.kafka.common.security.plain.PlainLoginModule required"
                                        + " user_requester=\"secret\" user_responder=\"secret\";"),
                        entry("authorizer.class.name", "org.apache.kafka.metadata.authorizer.StandardAuthorizer"),
                        // Who comes without a name is the broker itself, and this test.
                        entry("super.users", "User:ANONYMOUS"))),
                own,
                directory));
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", "127.0.0.1:" + kafka.port()))) {
            admin.createAcls(Stream.of(
                                    topic("requester", "square.requests", AclOperation.WRITE),
                                    topic("requester", "square.requests", AclOperation.DESCRIBE_CONFIGS),
                                    topic("requester", "square.requests.batch", AclOperation.WRITE),
                                    topic("requester", "square.requests.batch", AclOperation.DESCRIBE_CONFIGS),
                                    topic("requester", "square.replies", AclOperation.CREATE),
                                    topic("requester", "square.replies", AclOperation.READ),
                                    topic("requester", "square.replies", AclOperation.DESCRIBE_CONFIGS),
                                    group("requester", AclOperation.DESCRIBE),
                                    topic("responder", "square.requests", AclOperation.CREATE),
                                    topic("responder", "square.requests", AclOperation.READ),
                                    topic("responder", "square.requests.batch", AclOperation.CREATE),
                                    topic("responder", "square.requests.batch", AclOperation.READ),
                                    topic("responder", "square.replies", AclOperation.WRITE),
                                    group("responder", AclOperation.READ))
                            .toList())
                    .all()
                    .get();
        }

        answers(List.of("kafka"), kafkaUser("requester", secured), kafkaUser("responder", secured));
    }

    private static AclBinding topic(String user, String topic, AclOperation operation) {
        return permission(user, ResourceType.TOPIC, topic, operation);
    }

    private static AclBinding group(String user, AclOperation operation) {
        return permission(user, ResourceType.GROUP, "square-service", operation);
    }

    private static AclBinding permission(String user, ResourceType type, String name, AclOperation operation) {
        return new AclBinding(
                new ResourcePattern(type, name, PatternType.LITERAL),
                new AccessControlEntry("User:" + user, "*", operation, AclPermissionType.ALLOW));
    }

    private static Map<String, String> kafkaUser(String user, int port) {
        return Map.of(
                "KAFKA_BOOTSTRAP_SERVERS",
                "127.0.0.1:" + port,
                "SPRING_KAFKA_PROPERTIES_SECURITY_PROTOCOL",
                "SASL_PLAINTEXT",
                "SPRING_KAFKA_PROPERTIES_SASL_MECHANISM",
                "PLAIN",
                "SPRING_KAFKA_PROPERTIES_SASL_JAAS_CONFIG",
                "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"%s\" password=\"secret\";"
                        .formatted(user));
    }

    @Test
    void rabbitMqNeedsThisQueueAndTheDefaultExchange() throws Exception {
        Broker configured = Configured.rabbitMq("""
                {
                  "vhosts": [{ "name": "/" }],
                  "users": [
                    { "name": "requester", "password": "secret", "tags": [] },
                    { "name": "responder", "password": "secret", "tags": [] }
                  ],
                  "permissions": [
                    { "user": "requester", "vhost": "/", "configure": "^amq\\\\.gen-.*$",
                      "write": "^amq\\\\.default$", "read": "^(amq\\\\.gen-.*|square\\\\.requests)$" },
                    { "user": "responder", "vhost": "/", "configure": "^square\\\\.requests$",
                      "write": "^amq\\\\.default$", "read": "^square\\\\.requests$" }
                  ]
                }
                """);
        Unavailable.why(configured::origin).ifPresent(Assumptions::abort);
        RunningBroker rabbitMq = open(RunningBroker.start(configured, ports("client", "nodes", "epmd"), directory));
        String uri = "amqp://%s:secret@127.0.0.1:" + rabbitMq.port();

        answers(
                List.of("rabbitmq"),
                Map.of("RABBITMQ_URI", uri.formatted("requester")),
                Map.of("RABBITMQ_URI", uri.formatted("responder")));
    }

    /** Each variant is up, answers right in single calls and in batches, and nothing is refused to either side. */
    private void answers(List<String> variants, Map<String, String> requester, Map<String, String> responder)
            throws IOException {
        List<RealResponder> responders = variants.stream()
                .map(variant -> open(RealResponder.launch(TestVariants.find(variant), responder)))
                .toList();
        AggregatorProcess aggregator = open(AggregatorProcess.start(String.join(",", variants), requester));
        for (String variant : variants) {
            for (String mode : TestVariants.find(variant).modes().contains(CallMode.BATCH)
                    ? List.of("unary", "batch")
                    : List.of("unary")) {
                await().atMost(PATIENCE)
                        .untilAsserted(() -> assertThat(aggregator
                                        .http()
                                        .get("/%s/square/%s/3".formatted(variant, mode))
                                        .body())
                                .isEqualTo("[{\"1\":1},{\"2\":4},{\"3\":9}]"));
            }
        }
        assertThat(aggregator.http().get("/transports").body()).doesNotContain("\"state\":\"down\"");
        for (Path log : Stream.concat(
                        Stream.of(aggregator.process().log()),
                        responders.stream().map(each -> each.process().log()))
                .toList()) {
            assertThat(Files.readString(log))
                    .doesNotContainIgnoringCase("violation", "not authorized", "access_refused");
        }
    }

    private static Map<String, Integer> ports(String... roles) {
        Iterator<Integer> free = Ports.free(roles.length).iterator();
        Map<String, Integer> ports = new HashMap<>();
        for (String role : roles) {
            ports.put(role, free.next());
        }
        return ports;
    }
}
