package dev.chatterbox.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.chatterbox.cli.Commands.Result;
import dev.chatterbox.processes.ChildEnvironment;
import dev.chatterbox.processes.LocalHttp;
import dev.chatterbox.processes.Ports;
import dev.chatterbox.processes.Proc;
import dev.chatterbox.stack.FakeRepository;
import dev.chatterbox.stack.FakeService;
import dev.chatterbox.stack.Member;
import dev.chatterbox.stack.Repository;
import dev.chatterbox.stack.Stack;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests up and related commands, with a real NATS server, and services that start at once and fail on demand. */
@Tag("long")
class UpIT {

    @TempDir
    Path root;

    private Repository repository;
    private Commands commands;
    private int number;
    private String offset;
    private Stack stack;

    @BeforeEach
    void create() throws IOException {
        repository = FakeRepository.create(Files.createDirectory(root.resolve("a checkout, with blanks")));
        commands = new Commands(repository);
        number = commands.freeOffset();
        offset = "--port-offset=" + number;
        stack = repository.stack(number);
    }

    @AfterEach
    void leavesNothing() {
        commands.run("down", "--all");
        assertThatNothingRuns(number);
    }

    @Test
    void startsSeveralProcessesOfAService() throws IOException {
        String three = "--replicas=square-service-one=3";
        assertThat(commands.run("up", offset, "--replicas=square-service-one=0").exitCode())
                .isEqualTo(ExitCode.WRONG_USAGE);
        assertThat(commands.run("up", offset, "--replicas=square-service-one").exitCode())
                .isEqualTo(ExitCode.WRONG_USAGE);
        assertThatNothingRuns(number);

        Result up = commands.run("up", offset, three, "--replicas=aggregator-service=2");

        assertThat(up.exitCode()).as(up.output()).isZero();
        assertThat(up.output()).contains("http://localhost:%d/".formatted(8130 + number));
        assertThat(get(8130, "/environment/CHATTERBOX_INSTANCE")).isEqualTo("1");
        assertThat(get(8130, "/environment/FAKE_URL")).contains("http://localhost:%d,".formatted(7575 + number));
        assertThat(stack.members())
                .extracting(Member::name)
                .contains("square-service-one", "square-service-one-2", "square-service-one-3", "aggregator-service-2");

        assertThat(Files.readString(stack.directory().resolve("prometheus.yaml"))
                        .split("\"square-service-one\"", -1))
                .as("Prometheus knows three processes by the name of their service")
                .hasSize(4);

        assertThat(commands.run("fault", "kill", "square-service-one-2", offset).exitCode())
                .isZero();
        Result again = commands.run("up", offset, three);
        assertThat(again.exitCode()).as(again.output()).isZero();
        assertThat(again.output())
                .contains("square-service-one-2 is up again", "http://localhost:%d/".formatted(8130 + number));
        assertThat(commands.run("up", offset, "--replicas=square-service-one=2").output())
                .contains("with --replicas square-service-one=3");
    }

    @Test
    void tellsTheAggregatorHowManyRequestsToTrace() throws IOException {
        Map<String, String> collector = Map.of("OTEL_EXPORTER_OTLP_ENDPOINT", "http://localhost:4318");
        Result tooMany = commands.run(collector, "up", offset, "--traces=2");
        Result nowhere = commands.run("up", offset, "--traces=0.5");
        assertThat(tooMany.exitCode()).isEqualTo(ExitCode.WRONG_USAGE);
        assertThat(tooMany.output()).contains("--traces 2.0: must be 0 to 1");
        assertThat(nowhere.exitCode()).isEqualTo(ExitCode.WRONG_USAGE);
        assertThat(nowhere.output()).contains("no collector is named. Set OTEL_EXPORTER_OTLP_ENDPOINT");
        assertThatNothingRuns(number);

        Result up = commands.run(collector, "up", offset, "--traces=0.5");

        assertThat(up.exitCode()).as(up.output()).isZero();
        assertThat(get(8080, "/environment/CHATTERBOX_TRACES")).isEqualTo("0.5");
        assertThat(get(8080, "/environment/OTEL_EXPORTER_OTLP_ENDPOINT")).isEqualTo("http://localhost:4318");
        assertThat(commands.run("fault", "kill", "aggregator-service", offset).exitCode())
                .isZero();
        assertThat(commands.run("up", offset).exitCode()).isZero();
        assertThat(get(8080, "/environment/CHATTERBOX_TRACES"))
                .as("of the one that was started again")
                .isEqualTo("0.5");
        assertThat(commands.run(collector, "up", offset, "--traces=0.1").output())
                .contains("with --traces 0.5");
    }

    @Test
    void noProcessHasVariablesThatTheUserHappensToHave() {
        Map<String, String> hostile = new HashMap<>(Map.of(ChildEnvironment.HANDED_DOWN, "HANDED_DOWN"));
        List.of("DEBUG", "SERVER_PORT", "SPRING_CONFIG_LOCATION", "NATS_SERVER", "KAFKA_OPTS", "LC_ALL", "HANDED_DOWN")
                .forEach(name -> hostile.put(name, "nonsense"));

        Result up = commands.run(hostile, "up", offset);

        assertThat(up.exitCode()).as(up.output()).isZero();
        assertThat(up.output()).contains("Every process gets HANDED_DOWN, as CHATTERBOX_ENV says.");
        assertThat(stack.members())
                .hasSize(5)
                .allSatisfy(member -> assertThat(Proc.text(member.pid() + "/environ")
                                .orElseThrow()
                                .split("\0"))
                        .as(member.name())
                        .filteredOn(entry -> entry.endsWith("=nonsense"))
                        .containsExactly("HANDED_DOWN=nonsense"));
    }

    /** The test uses one stack for all checks that neither stop nor break it. */
    @Test
    void startsEverythingAndLeavesItRunning() throws IOException {
        Result up = commands.run("up", offset);

        assertThat(up.exitCode()).as(up.output()).isZero();
        assertThat(up.output())
                .contains(
                        "http://localhost:" + (8080 + number) + "/two/square/unary/5",
                        "curl ",
                        "down " + offset.replace('=', ' '))
                .doesNotContain("\r", "\033", "/script/", "/two-more/");
        assertThat(get(8080, "/environment/FAKE_URL")).isEqualTo("http://localhost:" + (7575 + number));
        assertThat(get(8080, "/environment/CHATTERBOX_TRANSPORTS")).isEqualTo("one,two");
        assertThat(get(8080, "/environment/CHATTERBOX_INSTANCE")).isEqualTo("0");
        assertThat(get(8080, "/environment/CHATTERBOX_CONTROL")).isEqualTo(Integer.toString(8079 + number));
        assertThat(up.output())
                .contains("http://127.0.0.1:%d/#control=%d,%s"
                        .formatted(8080 + number, 8079 + number, stack.state().controlToken()));
        for (int service : new int[] {7575, 7576}) {
            assertThat(get(service, "/environment/CHATTERBOX_FAULTS_TOKEN"))
                    .hasSizeGreaterThan(20)
                    .isEqualTo(stack.state().faultsToken());
        }
        assertThat(get(7576, "/name")).isEqualTo("square-service-two");
        assertThat(stack.directory().resolve("prometheus.yaml"))
                .content()
                .contains("- {targets: [\"localhost:%d\"], labels: {process: \"square-service-two\", "
                        .formatted(7576 + number))
                .hasLineCount(3);
        Result status = commands.run("status");
        assertThat(status.exitCode()).as(status.output()).isZero();
        assertThat(status.output())
                .contains(
                        "nats", "square-service-one", "square-service-two", "aggregator-service", "variants: one, two");
        assertThat(status.output().lines()).allMatch(line -> line.startsWith("logs: ") || line.length() <= 100);
        assertThat(status.output()).doesNotContain(stack.state().controlToken());

        doesNothingWhenItAlreadyRuns();
        saysWhatRunsWhereOtherVariantsAreAskedFor();
        survivesTheBuildThatReplacesItsJars();

        Result down = commands.run("down", offset);
        assertThat(down.exitCode()).isZero();
        assertThat(down.output().lines()).hasSize(5).allMatch(line -> line.startsWith("stopped "));
        assertThat(down.output().indexOf("nats")).isGreaterThan(down.output().indexOf("aggregator"));
        assertThat(stack.log("nats")).isNotEmptyFile();
        assertThatNothingRuns(number);
        assertThat(commands.run("down", offset).output()).contains("Nothing is running");
    }

    private void doesNothingWhenItAlreadyRuns() {
        List<Member> members = stack.members();

        for (String[] command : new String[][] {{"up", offset}, {"up", "--transports", "two", offset}}) {
            Result again = commands.run(command);
            assertThat(again.exitCode()).as(again.output()).isZero();
            assertThat(again.output()).contains("Already running", "curl ");
        }
        assertThat(stack.members()).isEqualTo(members);
    }

    private void saysWhatRunsWhereOtherVariantsAreAskedFor() throws IOException {
        Result up = commands.run("up", "--transports", "one,script", offset);
        assertThat(up.exitCode()).isEqualTo(2);
        assertThat(up.output())
                .contains(
                        "Already running, with one, two, and not with script",
                        "down " + offset.replace('=', ' '),
                        "up " + offset.replace('=', ' ') + " --transports one,script");

        Path presets = Files.createDirectories(repository.presets());
        Files.copy(Path.of("..", "workloads", "presets", "smoke.properties"), presets.resolve("smoke.properties"));
        Result compare = commands.run("compare", "--preset", "smoke", "--transports", "one,script", offset);
        assertThat(compare.exitCode()).as(compare.output()).isEqualTo(2);
        assertThat(compare.output())
                .contains(
                        "Already running, with one, two, and not with script",
                        "up " + offset.replace('=', ' ') + " --transports one,script");
        assertThat(stack.members())
                .allSatisfy(member -> assertThat(stack.process(member)).isPresent());
    }

    private void survivesTheBuildThatReplacesItsJars() throws IOException {
        Files.writeString(
                repository.root().resolve("aggregator-service/target/aggregator-service-1-exec.jar"),
                "not a jar any more");

        assertThat(commands.run("status").exitCode()).isZero();
    }

    @Test
    void startsAResponderThatIsNoJar() throws IOException {
        Result up = commands.run("up", "--transports", "script", offset);

        assertThat(up.exitCode()).as(up.output()).isZero();
        assertThat(stack.members())
                .extracting(Member::name)
                .containsExactlyInAnyOrder("square-service-script", "control", "aggregator-service");
        assertThat(get(7600, "/name")).isEqualTo("square-service-script");
        assertThat(get(7600, "/arguments")).isEqualTo("--quiet\n--chatterbox.process=square-service-script");
        assertThat(get(7600, "/environment/ADMIN_PORT")).isEqualTo(Integer.toString(7601 + number));
        assertThat(get(7600, "/environment/CHATTERBOX_FAULTS_TOKEN"))
                .isEqualTo(stack.state().faultsToken());
        assertThat(commands.run("status").exitCode()).isZero();
        assertThat(commands.run("down", offset).output().lines()).hasSize(3);
    }

    @Test
    void startsAllThatThisMachineCanHave() throws IOException {
        Result up = commands.run(Map.of("NATS_SERVER_BIN", "/no/such/program"), "up", "--transports", "all", offset);

        assertThat(up.exitCode()).as(up.output()).isZero();
        assertThat(up.output()).contains("two: disabled. NATS_SERVER_BIN is set to /no/such/program");
        assertThat(stack.members())
                .extracting(Member::name)
                .containsExactlyInAnyOrder(
                        "square-service-one", "square-service-script", "control", "aggregator-service");
        assertThat(get(8080, "/arguments"))
                .startsWith("--chatterbox.disabled.two=NATS_SERVER_BIN is set to /no/such/program")
                .contains("--chatterbox.disabled.two-more=");
        assertThat(commands.run("status").output())
                .contains("variants: one, script", "disabled: two. NATS_SERVER_BIN is set to");
        assertThat(commands.run("up", "--transports", "all", offset).exitCode()).isZero();
    }

    @Test
    void startsAgainWhatIsDeadAndNothingElse() throws IOException {
        commands.run("up", offset);
        List<Member> before = stack.members();
        stack.process(member("square-service-two")).orElseThrow().stop(Duration.ZERO);
        stack.process(member("nats")).orElseThrow().stop(Duration.ZERO);

        Result status = commands.run("status");
        assertThat(status.exitCode()).isEqualTo(3);
        assertThat(status.output()).containsPattern("square-service-two .* dead");
        Result other = commands.run("up", "--transports", "script", offset);
        assertThat(other.output()).contains("Already running, with one, two, and not with script");

        Result up = commands.run("up", offset);

        assertThat(up.exitCode()).as(up.output()).isZero();
        assertThat(up.output())
                .contains("Restarting: ", "nats", "square-service-two", "are up again after", "curl ")
                .doesNotContain("✓ square-service-one", "✓ aggregator");
        assertThat(commands.run("status").exitCode()).isZero();
        assertThat(stack.members()).hasSize(5).filteredOn(before::contains).hasSize(3);
        assertThat(get(7576, "/environment/CHATTERBOX_FAULTS_TOKEN"))
                .isEqualTo(stack.state().faultsToken());
        assertThat(commands.run("down", offset).output().lines()).hasSize(5);
    }

    /** The command up alone means the variants of the stack, whichever variants these are. */
    @Test
    void startsAgainWhatIsDeadOfOtherVariantsThanTheDefault() {
        commands.run("up", "--transports", "two", offset);
        stack.process(member("nats")).orElseThrow().stop(Duration.ZERO);

        Result up = commands.run("up", offset);

        assertThat(up.exitCode()).as(up.output()).isZero();
        assertThat(up.output())
                .contains("nats is up again after", "/two/square")
                .doesNotContain("/one/square");
    }

    @Test
    void stopsOnlyWhatItStartedAgainWhereThatFails() {
        commands.run("up", offset);
        stack.process(member("square-service-two")).orElseThrow().stop(Duration.ZERO);

        Result up = commands.run(Map.of(FakeService.FAULT, "square-service-two dies"), "up", offset);

        assertThat(up.exitCode()).isOne();
        assertThat(up.output()).contains("square-service-two ended while it was starting", "no luck today");
        assertThat(stack.dead()).extracting(Member::name).containsExactly("square-service-two");
        assertThat(commands.run("up", offset).exitCode()).isZero();
    }

    @Test
    void startsAnewWhenEverythingIsDead() {
        commands.run("up", offset);
        for (Member member : stack.members()) {
            stack.process(member).orElseThrow().stop(Duration.ZERO);
        }

        assertThat(commands.run("up", offset).exitCode()).isZero();
        assertThat(stack.members()).hasSize(5);
    }

    @ParameterizedTest
    @ValueSource(strings = {"square-service-one", "square-service-two", "aggregator-service"})
    void leavesNothingRunningWhenAServiceDies(String service) {
        Result up = commands.run(Map.of(FakeService.FAULT, service + " dies"), "up", offset);

        assertThat(up.exitCode()).isOne();
        assertThat(up.output())
                .contains(
                        "✗ " + service + " ended while it was starting",
                        "no luck today",
                        stack.log(service).toString())
                .doesNotContain("\tat ");
        assertThat(stack.members()).isEmpty();
        assertThatNothingRuns(number);
    }

    @Test
    void leavesNothingRunningWhenTheAggregatorDiesOfTheFirstCall() {
        Result up = commands.run(Map.of(FakeService.FAULT, "aggregator-service dies-when-asked"), "up", offset);

        assertThat(up.exitCode()).isOne();
        assertThat(up.output()).contains("/square/unary/1", "that was too much");
        assertThatNothingRuns(number);
    }

    @Test
    void leavesNothingRunningWhenTheBrokerCannotBeHad() {
        Result up = commands.run(Map.of("NATS_SERVER_BIN", "/no/such/program"), "up", offset);

        assertThat(up.exitCode()).isOne();
        assertThat(up.output()).contains("NATS_SERVER_BIN is set to /no/such/program");
        assertThatNothingRuns(number);
    }

    @Test
    void reportsEveryBusyPortWithItsOwner() throws IOException {
        InetAddress loopback = InetAddress.getByName("127.0.0.1");
        try (ServerSocket one = new ServerSocket(8080 + number, 1, loopback);
                ServerSocket other = new ServerSocket(4222 + number, 1, loopback)) {
            Result up = commands.run("up", offset);

            assertThat(up.exitCode()).isOne();
            assertThat(up.output())
                    .contains(one.getLocalPort() + " (aggregator-service) is taken by pid "
                            + ProcessHandle.current().pid())
                    .contains(other.getLocalPort() + " (nats client) is taken by pid")
                    .contains("--port-offset");
        }
    }

    private static String offset(int offset) {
        return "port offset " + offset;
    }

    @Test
    void runsTwoStacksSideBySide() {
        int second = commands.freeOffset();
        commands.run("up", offset);
        assertThat(commands.run("up", "--port-offset", Integer.toString(second)).exitCode())
                .isZero();

        assertThat(commands.run("status").output()).contains(offset(number), offset(second));
        assertThat(commands.run("status", offset).output())
                .contains(offset(number))
                .doesNotContain(offset(second));
        commands.run("down", offset);
        assertThat(commands.run("status").exitCode()).isZero();
        assertThat(commands.run("status", offset))
                .isEqualTo(new Result(
                        3,
                        "Nothing is running with %1$s. To start it: ./chatterbox up %1$s%n"
                                .formatted(offset.replace('=', ' '))));
        commands.run("down", "--all");
        assertThatNothingRuns(second);
    }

    @Test
    void stopsWhatItStartedWhenItIsInterrupted() throws Exception {
        Process up = commands.start(Map.of(FakeService.FAULT, "aggregator-service hangs"), "up", offset);
        await().atMost(Duration.ofMinutes(1)).until(() -> stack.members().size() == 5);
        assertThat(commands.run("up", offset).output()).contains("Another ./chatterbox starts, stops or measures");

        up.toHandle().destroy(); // Process.destroy() would close the stream that is read below

        assertThat(up.waitFor()).isEqualTo(143);
        assertThat(new String(up.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .contains("Interrupted");
        assertThat(stack.members()).isEmpty();
        assertThatNothingRuns(number);
    }

    @Test
    void leavesWhatItStartedToDownWhenItIsKilled() throws Exception {
        Process up = commands.start(Map.of(FakeService.FAULT, "aggregator-service hangs"), "up", offset);
        await().atMost(Duration.ofMinutes(1)).until(() -> stack.members().size() == 5);

        up.destroyForcibly().waitFor();

        assertThat(commands.run("down", offset).output().lines()).hasSize(5);
        assertThatNothingRuns(number);
    }

    /** @param port the port without the offset */
    private String get(int port, String path) throws IOException {
        return LocalHttp.get(port + number, path, Duration.ofMinutes(1)).body();
    }

    private Member member(String name) {
        return stack.members().stream()
                .filter(member -> member.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private void assertThatNothingRuns(int offset) {
        assertThat(commands.ports(offset))
                .allSatisfy(port -> assertThat(Ports.owner(port)).isEmpty());
        assertThat(ProcessHandle.allProcesses())
                .noneMatch(process -> process.info()
                        .commandLine()
                        .filter(line -> line.contains(stack.directory().toString()))
                        .isPresent());
    }
}
