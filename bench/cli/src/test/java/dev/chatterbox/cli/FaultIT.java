package dev.chatterbox.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatterbox.cli.Commands.Result;
import dev.chatterbox.processes.LocalHttp;
import dev.chatterbox.stack.FakeRepository;
import dev.chatterbox.stack.Member;
import dev.chatterbox.stack.Member.Health;
import dev.chatterbox.stack.Stack;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Faults of a running stack: faults of processes on a stack of fakes, faults of responders on a real stack. */
@Tag("long")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FaultIT {

    @TempDir
    static Path root;

    private Commands fakes;
    private Stack stack;
    private String offset;

    @BeforeAll
    void start() throws IOException {
        var repository = FakeRepository.create(Files.createDirectory(root.resolve("checkout")));
        fakes = new Commands(repository);
        int number = fakes.freeOffset();
        stack = repository.stack(number);
        offset = "--port-offset=" + number;
        assertThat(fakes.run("up", offset).exitCode()).isZero();
    }

    @AfterEach
    void isWholeAgain() {
        assertThat(stack.members())
                .allSatisfy(member -> assertThat(Health.of(stack, member)).isEqualTo(Health.UP));
    }

    @AfterAll
    void stop() {
        fakes.run("down", "--all");
    }

    @Test
    void killsAndRestartsOneProcess() {
        List<Member> before = stack.members();

        assertThat(fault("kill", "nats"))
                .contains("nats (pid ", ") is dead. To start it again: ./chatterbox fault restart nats");
        assertThat(stack.dead()).extracting(Member::name).containsExactly("nats");
        assertThat(fails(1, "fault", "kill", "nats", offset)).contains("nats is dead already");
        assertThat(fails(1, "fault", "restart", "square-service-two", offset))
                .contains("square-service-two cannot be well without nats, which is dead. First: ./chatterbox fault");

        assertThat(stack.dead()).extracting(Member::name).containsExactly("nats");

        assertThat(fault("restart", "nats")).contains("nats answers again after");
        assertThat(fault("restart", "square-service-two")).contains("square-service-two answers again after");
        assertThat(stack.members()).hasSize(5).filteredOn(before::contains).hasSize(3);
    }

    @Test
    void freezesAndResumes() {
        assertThat(fault("resume", "nats")).contains("was not frozen");
        assertThat(fault("freeze", "nats")).contains("is frozen. To let it go on: ./chatterbox fault resume nats");
        Result status = fakes.run("status");
        assertThat(status.exitCode()).isEqualTo(3);
        assertThat(status.output()).containsPattern("nats .* frozen");
        assertThat(fails(1, "up", offset))
                .contains("nats is frozen", "To let it go on: ./chatterbox fault resume nats --port-offset");
        assertThat(fault("resume", "nats")).contains("goes on");

        assertThat(fault("freeze", "square-service-one")).contains("is frozen");
        assertThat(fault("restart", "square-service-one")).contains("answers again");
        assertThat(fault("freeze", "nats")).contains("is frozen");
        assertThat(fault("clear")).contains("nats (pid", "goes on", "square-service-one: faults none");
    }

    @Test
    void tellsScriptsHowItIs() throws IOException {
        Result status = fakes.run("status", "--json");

        assertThat(status.exitCode()).isZero();
        JsonNode stacks = JsonMapper.shared().readTree(status.output());
        assertThat(stacks).hasSize(1);
        assertThat(stacks.get(0).path("variants"))
                .extracting(JsonNode::asString)
                .containsExactly("one", "two");
        assertThat(stacks.get(0).path("processes")).hasSize(5).allSatisfy(process -> {
            assertThat(process.path("state").asString()).isEqualTo("up");
            assertThat(process.path("pid").asLong()).isPositive();
            assertThat(process.path("uptimeSeconds").asDouble()).isPositive();
        });
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            fault                              | FAULT
            fault kill                         | There is no process ''. Those of this stack: aggregator-service
            fault kill kafka                   | There is no process 'kafka'. Those of this stack: aggregator-service, control, nats
            fault drop often                   | often
            fault drop 0.1 --responder pigeon  | There is no responder 'pigeon' that makes faults. Those of this stack: square-service-one
            """)
    void refusesWhatIsNotThere(String command, String message) {
        String[] arguments = Stream.concat(
                        Arrays.stream(command.split(" +")),
                        command.equals("fault") ? Stream.empty() : Stream.of(offset))
                .toArray(String[]::new);
        assertThat(fails(2, arguments)).contains(message);
    }

    @Test
    void setsTheFaultsOfRealResponders() throws IOException {
        Commands real = new Commands(Commands.builtCheckout());
        String where = "--port-offset=" + RealStack.offset();

        Result wrong = real.run("fault", "wrong", "1", "--responder", "square-service-nats", where);
        assertThat(wrong.output()).isEqualToIgnoringNewLines("square-service-nats: faults wrong 1.0");
        assertThat(LocalHttp.get(8080 + RealStack.offset(), "/nats/square/unary/3", Duration.ofMinutes(1))
                        .status())
                .isEqualTo(502);
        assertThat(LocalHttp.get(8080 + RealStack.offset(), "/kafka/square/unary/3", Duration.ofMinutes(1))
                        .status())
                .isEqualTo(200);
        assertThat(real.run("fault", "delay", "20ms", where).output().lines())
                .hasSize(3)
                .contains("square-service-nats: faults delay 20 ms, wrong 1.0");
        assertThat(real.run("status").output()).contains("faults: square-service-nats delay 20 ms, wrong 1.0");
        Result refused = real.run("fault", "drop", "2", where);
        assertThat(refused.exitCode()).isEqualTo(2);
        assertThat(refused.output()).contains("drop must be 0 to 1");

        Result clear = real.run("fault", "clear", where);
        assertThat(clear.exitCode()).isZero();
        assertThat(clear.output().lines()).hasSize(3).allMatch(line -> line.endsWith(": faults none"));
        assertThat(LocalHttp.get(8080 + RealStack.offset(), "/nats/square/unary/3", Duration.ofMinutes(1))
                        .status())
                .isEqualTo(200);
    }

    private String fault(String... arguments) {
        Result result = fakes.run(Stream.of(Stream.of("fault"), Arrays.stream(arguments), Stream.of(offset))
                .flatMap(argument -> argument)
                .toArray(String[]::new));
        assertThat(result.exitCode()).as(result.output()).isZero();
        return result.output();
    }

    private String fails(int exitCode, String... arguments) {
        Result result = fakes.run(arguments);
        assertThat(result.exitCode()).as(result.output()).isEqualTo(exitCode);
        return result.output();
    }
}
