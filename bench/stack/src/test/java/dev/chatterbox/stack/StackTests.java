package dev.chatterbox.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import dev.chatterbox.brokers.NatsServer;
import dev.chatterbox.network.NetworkLink;
import dev.chatterbox.network.NetworkPlan;
import dev.chatterbox.processes.ProcessException;
import dev.chatterbox.variants.Variant;
import dev.chatterbox.variants.VariantException;
import dev.chatterbox.variants.Variants;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import org.assertj.core.api.Condition;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests what is read from files: variants and responders, and the plan and the state of a stack. */
class StackTests {

    @TempDir
    Path root;

    private Repository repository;

    @BeforeEach
    void create() throws IOException {
        repository = FakeRepository.create(root);
    }

    @Test
    void startsWhatTheDefaultVariantsNeed() {
        StackPlan plan = plan(100);

        assertThat(plan.ports())
                .extracting(use -> use.getKey() + " " + use.getValue())
                .containsExactly(
                        "7675 square-service-one",
                        "7676 square-service-two",
                        "8180 aggregator-service",
                        "4322 nats client",
                        "8322 nats monitor");
        assertThat(plan.clients())
                .containsEntry("FAKE_URL", "http://localhost:7675")
                .containsEntry("NATS_SERVER", "nats://127.0.0.1:4322");
        assertThat(environment(plan.aggregators().get(0)))
                .containsAllEntriesOf(plan.clients())
                .containsEntry("CHATTERBOX_TRANSPORTS", "one,two")
                .containsEntry("CHATTERBOX_INSTANCE", "0")
                .containsEntry("SERVER_PORT", "8180");
    }

    @Test
    void startsNothingThatNoChosenVariantNeeds() {
        StackPlan plan = plan(0, "one");

        assertThat(plan.brokers()).isEmpty();
        assertThat(plan.responders()).extracting(Part::name).containsExactly("square-service-one");
        assertThat(environment(plan.aggregators().get(0))).doesNotContainKey("NATS_SERVER");
    }

    @Test
    void startsVariantsOfAFurtherFolder(@TempDir Path further) throws IOException {
        Files.writeString(
                further.resolve("one-wide.properties"), "transport=one\nabout=a sweep\nbounds.per-request=4096\n");
        repository =
                Repository.of(Map.of("CHATTERBOX_HOME", root.toString(), "CHATTERBOX_VARIANTS", further.toString()));
        StackPlan plan = plan(0, "one", "one-wide");

        assertThat(plan.variants()).extracting(Variant::name).containsExactly("one", "one-wide");
        assertThat(environment(plan.aggregators().get(0)))
                .containsEntry("CHATTERBOX_TRANSPORTS", "one,one-wide")
                .containsEntry("CHATTERBOX_VARIANTS", further.toAbsolutePath().toString());
    }

    @Test
    void startsOnceWhatVariantsShare() {
        StackPlan plan = plan(0, "two", "two-more");

        assertThat(plan.variants()).hasSize(2);
        assertThat(plan.brokers())
                .hasSize(1)
                .first()
                .satisfies(planned -> assertThat(planned.node().broker()).isInstanceOf(NatsServer.class));
        assertThat(plan.responders()).hasSize(1);
    }

    @Test
    void startsSeveralProcessesOfAService() {
        StackPlan plan = plan(Map.of("square-service-one", 3, Repository.AGGREGATOR, 2), "one", "two");

        assertThat(plan.ports())
                .extracting(use -> use.getKey() + " " + use.getValue())
                .contains(
                        "7575 square-service-one",
                        "7625 square-service-one-2",
                        "7675 square-service-one-3",
                        "7576 square-service-two",
                        "8080 aggregator-service",
                        "8130 aggregator-service-2");
        assertThat(plan.clients())
                .containsEntry("FAKE_URL", "http://localhost:7575,http://localhost:7625,http://localhost:7675");
        assertThat(plan.aggregators())
                .extracting(aggregator -> environment(aggregator).get("CHATTERBOX_INSTANCE"))
                .containsExactly("0", "1");
        Variant one = plan.variants().get(0);
        assertThat(plan.responders(one)).hasSize(3);
        assertThat(plan.needs(one)).hasSize(5);
        assertThat(plan.neededMemory()).isGreaterThan(plan(0, "one", "two").neededMemory());
        plan.requireMemory(plan.neededMemory());
        assertThatThrownBy(() -> plan.requireMemory(plan.neededMemory() - 1)).isInstanceOf(UsageException.class);
    }

    @ParameterizedTest
    @CsvSource({
        "square-service-one, 0, --replicas square-service-one=0: must be 1 to 9.",
        "square-service-one, 10, --replicas square-service-one=10: must be 1 to 9.",
        "nats, 2, '--replicas nats=2: these variants have no such service; they have aggregator-service, square-service-one.'",
        "square-service-two, 2, '--replicas square-service-two=2: these variants have no such service; they have aggregator-service, square-service-one.'",
    })
    void refusesProcessesThatCannotBe(String service, int number, String message) {
        assertThatThrownBy(() -> plan(Map.of(service, number), "one"))
                .isInstanceOf(UsageException.class)
                .hasMessage(message);
    }

    private StackPlan plan(Map<String, Integer> replicas, String... variants) {
        return StackPlan.of(
                repository.stack(0),
                Selection.of(repository.variants(), List.of(variants)).with(replicas, 0, false));
    }

    @Test
    void aBrokerWithOtherSettingsIsBesideTheUsualOne() throws IOException {
        Files.writeString(root.resolve("variants/two-always.properties"), """
                transport=two
                about=each message is synced
                responder.name=square-service-two-always
                responder.port.http=7700
                broker=nats-always
                broker.class=dev.chatterbox.brokers.SyncedNatsServer
                """);
        StackPlan plan = plan(0, "two", "two-always");

        assertThat(plan.brokers()).extracting(Part::name).containsExactly("nats", "nats-always");
        assertThat(plan.clients())
                .containsEntry("NATS_SERVER", "nats://127.0.0.1:4222")
                .containsEntry("NATS_SERVER_ALWAYS", "nats://127.0.0.1:4262");
        assertThat(environment(plan.responders().get(1))).containsEntry("NATS_SERVER", "nats://127.0.0.1:4262");
    }

    private static final String CLUSTER = """
            transport=two
            about=three of them
            responder.name=square-service-two-cluster
            responder.port.http=7700
            broker=nats-cluster
            broker.nodes=3
            """;

    @Test
    void aClusterIsSoManyProcessesWithPortsOfTheirOwnBesideTheSingleBroker() throws IOException {
        Files.writeString(root.resolve("variants/two-cluster.properties"), CLUSTER);
        StackPlan plan = plan(100, "two", "two-cluster");

        assertThat(plan.brokers()).extracting(Part::name).containsExactly("nats", "nats-1", "nats-2", "nats-3");
        assertThat(plan.brokers(plan.variants().get(1))).hasSize(3);
        assertThat(plan.ports())
                .extracting(use -> use.getKey() + " " + use.getValue())
                .doesNotHaveDuplicates()
                .contains("4322 nats client", "4332 nats-1 client", "4342 nats-2 client", "6352 nats-3 routes");
        String servers = "nats://127.0.0.1:4332,nats://127.0.0.1:4342,nats://127.0.0.1:4352";
        assertThat(plan.clients())
                .containsEntry("NATS_SERVER", "nats://127.0.0.1:4322")
                .containsEntry("NATS_SERVER_CLUSTER", servers)
                .containsEntry("NATS_REPLICAS_CLUSTER", "3");
        assertThat(environment(plan.responders().get(1)))
                .containsEntry("NATS_SERVER", servers)
                .containsEntry("NATS_REPLICAS", "3");
        assertThat(plan.links())
                .extracting(NetworkLink::name, NetworkLink::variants)
                .contains(tuple("nats", Set.of("two")), tuple("nats-2", Set.of("two-cluster")));
        // A network lies before each node, and each node announces the network's port.
        StackPlan over = plan.over(5);
        assertThat(over.brokers())
                .allSatisfy(node -> assertThat(node.node().advertisedPort())
                        .hasValue(over.network().before(node.port())));
    }

    @Test
    void refusesAClusterThatThereIsNoMemoryFor() throws IOException {
        Files.writeString(root.resolve("variants/two-cluster.properties"), CLUSTER);
        StackPlan plan = plan(0, "two-cluster");

        plan.requireMemory(plan.neededMemory());
        plan(0, "two").requireMemory(1);
        assertThat(plan.neededMemory()).isGreaterThan(plan(0, "two").neededMemory());
        assertThatThrownBy(() -> plan.requireMemory(1_000_000_000))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("and 1.0 GB are free")
                .hasMessageContaining("doctor");
    }

    @ParameterizedTest
    @CsvSource({
        "broker=nats-cluster, broker=many, 'begins with this and a hyphen'",
        "broker=nats-cluster, broker=nats, 'share the broker nats'",
        "broker.nodes=3, broker.nodes=0, 'must be 1 to 9'",
        "broker.nodes=3, broker.class=dev.chatterbox.brokers.ArtemisBroker, 'share the broker'",
    })
    void refusesAClusterThatIsNone(String from, String to, String message) throws IOException {
        Files.writeString(root.resolve("variants/two-cluster.properties"), CLUSTER.replace(from, to));
        Files.writeString(
                root.resolve("variants/two-other.properties"),
                CLUSTER.replace("two-cluster", "two-other").replace("7700", "7701") + "address.subject=other\n");

        assertThatThrownBy(() -> plan(0, "two-cluster"))
                .isInstanceOf(VariantException.class)
                .hasMessageContaining(message);
    }

    @Test
    void refusesAClusterOfABrokerThatFormsNone() throws IOException {
        FakeRepository.variant(root, "artemis", """
                kind=broker
                responder=square-service-one
                responder.name=artemis
                broker=artemis-cluster
                broker.class=dev.chatterbox.brokers.ArtemisBroker
                broker.nodes=3
                """);

        assertThatThrownBy(() -> plan(0, "artemis"))
                .isInstanceOf(VariantException.class)
                .hasMessage("variants/artemis.properties: broker.nodes is 3, but artemis runs as one node only.");
    }

    @Test
    void movesAndHandsOverEveryPortOfAResponder() {
        StackPlan plan = plan(1000, "script");

        assertThat(plan.ports())
                .extracting(use -> use.getKey() + " " + use.getValue())
                .contains("8600 square-service-script", "8601 square-service-script admin");
        assertThat(environment(plan.responders().get(0)))
                .containsEntry("SERVER_PORT", "8600")
                .containsEntry("ADMIN_PORT", "8601");
    }

    @Test
    void connectsItsProcessesDirectlyUnlessADistanceIsChosen() {
        StackPlan direct = plan(100, "two", "two-more", "one");

        assertThat(direct.links())
                .extracting(NetworkLink::name, NetworkLink::behind, NetworkLink::variants)
                .containsExactly(
                        tuple("nats", 4322, Set.of("two", "two-more")),
                        tuple("square-service-one", 7675, Set.of("one")));
        assertThat(direct.links().get(0).probe()).isPresent();
        assertThat(direct.network().isPresent()).isFalse();
        assertThat(direct.brokers().get(0).node().advertisedPort()).isEmpty();
    }

    @Test
    void givesClientsThePortsOfTheNetworkAndNobodyElse() {
        StackPlan direct = plan(100);
        StackPlan over = direct.over(5);

        int nats = over.network().before(4322);
        int one = over.network().before(7675);
        assertThat(List.of(nats, one, over.network().port()))
                .doesNotHaveDuplicates()
                .doesNotContain(4322, 7675);
        assertThat(over.network().distanceMillis()).isEqualTo(5);
        assertThat(over.clients())
                .isEqualTo(Map.of("FAKE_URL", "http://localhost:" + one, "NATS_SERVER", "nats://127.0.0.1:" + nats));
        assertThat(environment(over.aggregators().get(0))).containsAllEntriesOf(over.clients());
        assertThat(environment(over.responders().get(1)))
                .containsEntry("NATS_SERVER", "nats://127.0.0.1:" + nats)
                .containsEntry("SERVER_PORT", "7676");
        assertThat(over.responders().get(0)).isEqualTo(direct.responders().get(0));
        assertThat(over.brokers().get(0).node().advertisedPort()).hasValue(nats);
        assertThat(over.brokers().get(0).ports())
                .isEqualTo(direct.brokers().get(0).ports());
        assertThat(over.ports()).isEqualTo(direct.ports());
    }

    @Test
    void givesAResponderItsBrokerAndItsName() {
        assertThat(environment(plan(0, "two").responders().get(0)))
                .containsEntry("NATS_SERVER", "nats://127.0.0.1:4222")
                .containsEntry("CHATTERBOX_RESPONDER", "square-service-two");
    }

    @Test
    void leavesOutOfAllWhatThisMachineCannotHave() throws IOException {
        FakeRepository.variant(root, "rare", """
                kind=broker
                responder=square-service-one
                responder.name=square-service-rare
                responder.port.http=7800
                broker=rare
                broker.class=dev.chatterbox.stack.RareBroker
                """);
        List<String> lines = new ArrayList<>();

        StackPlan plan = plan(0, Variants.ALL).obtain(OptionalInt.empty(), lines::add);

        assertThat(plan.disabled()).isEqualTo(Map.of("rare", "rare is not on this machine."));
        assertThat(lines)
                .contains("  rare: disabled. rare is not on this machine.")
                .anyMatch(line -> line.contains("Any one of these gives it") && line.contains("- a miracle"));
        assertThat(plan.variants())
                .extracting(variant -> variant.name())
                .containsExactly("one", "script", "two", "two-more");
        assertThat(plan.brokers()).extracting(Part::name).containsExactly("nats");
        assertThat(plan.responders())
                .extracting(Part::name)
                .doesNotContain("square-service-rare")
                .contains("square-service-one");
        assertThat(plan.aggregators().get(0).jar().orElseThrow().arguments())
                .containsExactly("--chatterbox.disabled.rare=rare is not on this machine.");
        assertThat(environment(plan.aggregators().get(0)))
                .containsEntry("CHATTERBOX_TRANSPORTS", "one,rare,script,two,two-more");
        assertThat(plan.ports()).noneMatch(use -> use.getValue().startsWith("rare"));

        assertThat(plan(0, Variants.EACH)
                        .obtain(OptionalInt.empty(), line -> {})
                        .disabled())
                .containsOnlyKeys("rare");

        for (String[] byName : new String[][] {{"rare"}, {"all", "rare"}, {"each", "rare"}}) {
            assertThatThrownBy(() -> plan(0, byName).obtain(OptionalInt.empty(), lines::add))
                    .isInstanceOf(ProcessException.class)
                    .hasMessageContaining("Any one of these gives it");
        }
    }

    @Test
    void leavesOutOfAllAResponderWhoseProgramIsMissing() throws IOException {
        FakeRepository.responder(root, "script", 7600, "command=no-such-program responder\nport.admin=7601");

        assertThat(plan(0, Variants.ALL).obtain(OptionalInt.empty(), line -> {}).disabled())
                .containsOnlyKeys("script");
        assertThatThrownBy(() -> plan(0, "script").obtain(OptionalInt.empty(), line -> {}))
                .isInstanceOf(ProcessException.class)
                .hasMessageContaining("no-such-program");
    }

    @Test
    void leavesOutOfAllAResponderThatNeedsANewerJava() throws IOException {
        FakeRepository.responder(root, "future", 7700, "jar=target/*-exec.jar\njava=99");
        FakeRepository.variant(root, "future", "kind=direct\nresponder=square-service-future");

        assertThat(plan(0, Variants.ALL).obtain(OptionalInt.empty(), line -> {}).disabled())
                .isEqualTo(Map.of(
                        "future",
                        "square-service-future: it needs Java 99, and this is Java %d."
                                .formatted(Runtime.version().feature())));
    }

    @Test
    void leavesOutOfAllAPythonResponderWhoseLibrariesAreNoList() throws IOException {
        FakeRepository.responder(root, "snake", 7700, "python=snake");
        FakeRepository.variant(root, "snake", "kind=direct\nresponder=square-service-snake");

        assertThat(plan(0, Variants.ALL).obtain(OptionalInt.empty(), line -> {}).disabled())
                .containsOnlyKeys("snake")
                .hasValueSatisfying(new Condition<>(reason -> reason.startsWith("square-service-snake: "), "a reason"));
        assertThatThrownBy(() -> plan(0, "snake").obtain(OptionalInt.empty(), line -> {}))
                .isInstanceOf(ProcessException.class)
                .hasMessageStartingWith("square-service-snake: ");
    }

    @ParameterizedTest
    @CsvSource({"57313, true", "57314, false", "-4221, true", "-4222, false", "2147483647, false"})
    void keepsPortsInTheirRange(int offset, boolean valid) {
        if (valid) {
            assertThat(plan(offset).responders()).hasSize(2);
        } else {
            assertThatThrownBy(() -> plan(offset))
                    .isInstanceOf(UsageException.class)
                    .hasMessageContaining("--port-offset " + offset);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"no.such.Broker", "java.lang.String", "dev.chatterbox.brokers.KafkaBroker"})
    void saysWhichBrokerIsWrong(String type) throws IOException {
        FakeRepository.variant(
                root, "two", "kind=broker\nresponder=square-service-two\nbroker=nats\nbroker.class=" + type);

        assertThatThrownBy(() -> plan(0, "two"))
                .isInstanceOf(VariantException.class)
                .hasMessageContaining("variants/two.properties")
                .hasMessageContaining(type);
    }

    @Test
    void saysThatThereIsNoCheckout() {
        assertThatThrownBy(() -> Repository.of(Map.of(
                                "CHATTERBOX_HOME",
                                root.resolve("square-service-one").toString()))
                        .variants())
                .isInstanceOf(ProcessException.class)
                .hasMessageContaining("CHATTERBOX_HOME");
    }

    @Test
    void saysThatAServiceIsNotBuilt() {
        assertThatThrownBy(() -> repository.jar(root.resolve("square-service-three"), "target/*-exec.jar"))
                .isInstanceOf(ProcessException.class)
                .hasMessageContaining("square-service-three is not built");
    }

    @Test
    void takesTheJarThatWasBuiltLast() {
        Path newer = root.resolve("square-service-one/target/square-service-one-0-exec.jar");

        // Files that are made in the same tick of the file system's clock have the same time.
        await().atMost(Duration.ofMinutes(1)).untilAsserted(() -> {
            Files.deleteIfExists(newer);
            Files.createFile(newer);
            assertThat(newer.toFile().setLastModified(0))
                    .as("as an outputTimestamp does")
                    .isTrue();
            assertThat(repository.jar(root.resolve("square-service-one"), "target/square-service-one-*-exec.jar"))
                    .isEqualTo(newer);
        });
    }

    @Test
    void readsTheStateBackButForALineThatACrashCutShort() throws IOException {
        Stack stack = repository.stack(7);
        Member broker = new Member(Member.Kind.BROKER, "nats", 4711, "boot a tick 4710", 4229, "", "");
        Member service = new Member(Member.Kind.SERVICE, "one", 4712, "boot a tick 4711", 7582, "/well", "/faults");
        Files.createDirectories(stack.directory());
        stack.record(broker);
        stack.record(service);
        Files.writeString(stack.directory().resolve("processes.tsv"), "SERVICE\tsquare", StandardOpenOption.APPEND);

        assertThat(stack.members()).containsExactly(broker, service);
        assertThat(repository.stacks()).containsExactly(stack);
        Files.writeString(stack.directory().resolve("processes.tsv"), "\n", StandardOpenOption.APPEND);
        Member again = new Member(Member.Kind.BROKER, "nats", 4713, "boot a tick 4712", 4229, "", "");
        stack.record(again);
        assertThat(stack.members())
                .as("of what was started again, the last start")
                .containsExactly(again, service);
        stack.forget();
        assertThat(repository.stacks()).isEmpty();
    }

    @Test
    void keepsWhatItWasStartedAs() throws IOException {
        StackState state = new StackState(
                List.of("one", "two"),
                Map.of("rare", "It is not here: see \"how\"."),
                Map.of("FAKE_URL", "http://localhost:7575"),
                "secret",
                "another",
                new NetworkPlan(8474, 5, Map.of(7575, 40_001)),
                Map.of("square-service-one", 3),
                0);
        Stack stack = repository.stack(7);
        Files.createDirectories(stack.directory());

        stack.record(state);

        assertThat(stack.state()).isEqualTo(state);
        assertThat(state.withDistance(0).network().distanceMillis()).isZero();
        stack.forget();
        assertThat(stack.state()).isEqualTo(StackState.NONE);
    }

    /** The system sees one process: closing the file of the second lock would release the first lock. */
    @Test
    void isLockedForOneAtATimeWithinOneProgramToo() throws IOException {
        Stack stack = repository.stack(7);
        try (Stack.Lock lock = stack.lockProcesses()) {
            assertThatThrownBy(stack::lockProcesses).isInstanceOf(ProcessException.class);
            stack.lock().close();
        }
        stack.lockProcesses().close();
    }

    @Test
    void letsNobodyElseReadTheToken() throws IOException {
        assumeThat(FileSystems.getDefault().supportedFileAttributeViews()).contains("posix");
        Stack stack = repository.stack(7);
        Files.createDirectories(stack.directory());
        stack.record(new StackState(List.of(), Map.of(), Map.of(), "secret", "another", NetworkPlan.NONE, Map.of(), 0));

        assertThat(PosixFilePermissions.toString(
                        Files.getPosixFilePermissions(stack.directory().resolve("stack.json"))))
                .isEqualTo("rw-------");
    }

    @Test
    void keepsNothingButLogs() throws IOException {
        Stack stack = repository.stack(7);
        Files.createDirectories(stack.directory().resolve("kafka/data/topic-0"));
        Files.createDirectories(stack.logs());
        Files.writeString(stack.log("kafka"), "old");

        stack.forget();
        assertThat(stack.directory()).isDirectoryNotContaining("glob:**/kafka");
        assertThat(stack.log("kafka")).hasContent("old");

        stack.clear();
        assertThat(stack.directory()).isEmptyDirectory();
    }

    @Test
    void listsStacksByOffset() throws IOException {
        for (int offset : List.of(1000, 0, -5)) {
            Files.createDirectories(repository.stack(offset).directory());
            repository.stack(offset).record(Member.of("x", 1, 1));
        }
        Files.createDirectories(root.resolve(".chatterbox/stack-old"));

        assertThat(repository.stacks()).extracting(Stack::offset).containsExactly(-5, 0, 1000);
    }

    private static Map<String, String> environment(Part service) {
        return ((Part.Service) service.start()).environment();
    }

    private StackPlan plan(int offset, String... variants) {
        return StackPlan.of(repository.stack(offset), Selection.of(repository.variants(), List.of(variants)));
    }
}
