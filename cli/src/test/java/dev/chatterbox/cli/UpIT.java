package dev.chatterbox.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.chatterbox.processes.Ports;
import dev.chatterbox.cli.Commands.Result;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How up and its companions behave, with a real NATS server and services that start in no time and fail on demand. */
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
    void startsEverythingAndLeavesItRunning() throws IOException {
        Result up = commands.run("up", offset);

        assertThat(up.exitCode()).as(up.output()).isZero();
        assertThat(up.output())
                .contains(
                        "http://localhost:" + (8080 + number) + "/two/square/unary/5",
                        "curl ",
                        "down " + offset.replace('=', ' '))
                .doesNotContain("\r", "\033");
        assertThat(Http.get(8080 + number, "/environment").body()).isEqualTo("http://localhost:" + (7575 + number));
        Result status = commands.run("status");
        assertThat(status.exitCode()).as(status.output()).isZero();
        assertThat(status.output()).contains("nats", "square-service-one", "square-service-two", "aggregator-service");
        assertThat(status.output().lines()).allMatch(line -> line.startsWith("logs: ") || line.length() <= 100);

        Result down = commands.run("down", offset);
        assertThat(down.exitCode()).isZero();
        assertThat(down.output().lines()).hasSize(4).allMatch(line -> line.startsWith("stopped "));
        assertThat(down.output().indexOf("nats")).isGreaterThan(down.output().indexOf("aggregator"));
        assertThat(stack.log("nats")).isNotEmptyFile();
        assertThatNothingRuns(number);
        assertThat(commands.run("down", offset).output()).contains("Nothing is running");
    }

    @Test
    void doesNothingWhenItAlreadyRuns() {
        commands.run("up", offset);
        List<Member> members = stack.members();

        Result again = commands.run("up", offset);

        assertThat(again.exitCode()).isZero();
        assertThat(again.output()).contains("It already runs", "curl ");
        assertThat(stack.members()).isEqualTo(members);
    }

    @Test
    void showsWhatIsDeadAndHowToStartAnew() {
        commands.run("up", offset);
        stack.process(member("square-service-two")).orElseThrow().stop(Duration.ZERO);

        Result status = commands.run("status");
        assertThat(status.exitCode()).isEqualTo(3);
        assertThat(status.output()).containsPattern("square-service-two .* dead");
        Result up = commands.run("up", offset);
        assertThat(up.exitCode()).isOne();
        assertThat(up.output())
                .contains(
                        "square-service-two is dead",
                        stack.log("square-service-two").toString(),
                        "down");
        assertThat(commands.run("down", offset).output().lines()).hasSize(3);
    }

    @Test
    void startsAnewWhenEverythingIsDead() {
        commands.run("up", offset);
        for (Member member : stack.members()) {
            stack.process(member).orElseThrow().stop(Duration.ZERO);
        }

        assertThat(commands.run("up", offset).exitCode()).isZero();
        assertThat(stack.members()).hasSize(4);
    }

    @Test
    void survivesTheBuildThatReplacesItsJars() throws IOException {
        commands.run("up", offset);
        Files.writeString(repository.jar("aggregator-service"), "not a jar any more");

        assertThat(commands.run("status").exitCode()).isZero();
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

    @Test
    void runsTwoStacksSideBySide() {
        int second = commands.freeOffset();
        commands.run("up", offset);
        assertThat(commands.run("up", "--port-offset", Integer.toString(second)).exitCode())
                .isZero();

        assertThat(commands.run("status").output()).contains("port offset " + number, "port offset " + second);
        commands.run("down", offset);
        assertThat(commands.run("status").exitCode()).isZero();
        commands.run("down", "--all");
        assertThatNothingRuns(second);
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void stopsWhatItStartedWhenItIsInterrupted() throws Exception {
        Process up = commands.start(Map.of(FakeService.FAULT, "aggregator-service hangs"), "up", offset);
        await().atMost(Duration.ofSeconds(30)).until(() -> stack.members().size() == 4);
        assertThat(commands.run("up", offset).output()).contains("Another ./chatterbox is starting or stopping");

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
        await().atMost(Duration.ofSeconds(30)).until(() -> stack.members().size() == 4);

        up.destroyForcibly().waitFor();

        assertThat(commands.run("down", offset).output().lines()).hasSize(4);
        assertThatNothingRuns(number);
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
