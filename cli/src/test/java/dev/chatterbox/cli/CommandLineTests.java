package dev.chatterbox.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** The commands where nothing is running. */
class CommandLineTests {

    @TempDir
    Path root;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final Map<String, String> environment = new HashMap<>();

    @BeforeEach
    void create() throws IOException {
        FakeRepository.create(root);
        environment.put("CHATTERBOX_HOME", root.toString());
    }

    @Test
    void printsItsHelp() {
        assertThat(run("--help")).isZero();
        assertThat(output()).contains("up", "down", "status", "doctor", "compare", "diff");
    }

    @Test
    void makesTheQuickComparisonWithoutAWord() {
        assertThat(run()).isEqualTo(2);
        assertThat(errors()).contains("There is no preset 'quick'");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            --preset nope          | There is no preset 'nope'
            --transports one,grpc  | There is no transport 'grpc'. These are here: one, two
            --calls 10001          | calls must be 1 to 10000
            --calls 0              | calls must be 1 to 10000
            --calls 5,5            | twice
            --calls many           | --calls
            --users 0              | users must be 1 to 1000
            --users 1001           | users must be 1 to 1000
            --rate 0               | rate must be more than 0
            --rate 5 --users 5     | choose
            --rounds 0             | rounds must be 1 to 1000
            --duration soon        | --duration
            --duration 0.1s        | half a second
            --port-offset 60000    | ports are 1 to 65535
            --out pom.xml          | is not a folder
            """)
    void refusesAComparisonBeforeAnythingStarts(String options, String message) throws IOException {
        Path presets = Files.createDirectories(root.resolve("cli/presets"));
        Files.copy(Path.of("presets", "quick.properties"), presets.resolve("quick.properties"));

        assertThat(run(("compare " + options).split(" +"))).isEqualTo(2);
        assertThat(errors()).contains(message).doesNotContain("\tat ");
        assertThat(root.resolve(".chatterbox")).doesNotExist();
    }

    @Test
    void knowsBoundsThatWereSetOtherwise() throws IOException {
        Path presets = Files.createDirectories(root.resolve("cli/presets"));
        Files.copy(Path.of("presets", "quick.properties"), presets.resolve("quick.properties"));
        environment.put("CHATTERBOX_MAX_CALLS", "50");

        assertThat(run("compare", "--calls", "51")).isEqualTo(2);
        assertThat(errors()).contains("calls must be 1 to 50");
    }

    @Test
    void printsTheHelpOfACommand() {
        assertThat(run("up", "--help")).isZero();
        assertThat(output()).contains("--port-offset");
    }

    @Test
    void takesWrongUsageForAnError() {
        assertThat(run("upp")).isEqualTo(2);
        assertThat(run("up", "--port-offset", "many")).isEqualTo(2);
        assertThat(run("up", "--port-offset", "60000")).isEqualTo(2);
        assertThat(errors()).contains("Did you mean", "--port-offset", "ports are 1 to 65535");
    }

    @Test
    void saysThatNothingIsRunning() {
        assertThat(run("status")).isEqualTo(3);
        assertThat(output()).contains("Nothing is running", "./chatterbox up");
        assertThat(run("down")).isZero();
        assertThat(run("down", "--all")).isZero();
    }

    @Test
    void neverTouchesAProcessThatHasTheRecordedPidByChance() throws IOException {
        Stack stack = new Repository(root).stack(0);
        Files.createDirectories(stack.directory());
        long self = ProcessHandle.current().pid();
        stack.record(new Member(
                Member.Kind.SERVICE, "square-service-one", self, Instant.parse("2020-01-01T00:00:00Z"), 7575));

        assertThat(run("status")).isEqualTo(3);
        assertThat(output()).contains("dead");
        assertThat(run("down")).isZero();
        assertThat(output()).contains("Nothing is running").doesNotContain("stopped");
        assertThat(new Repository(root).stacks()).isEmpty();
    }

    @Test
    void keepsStackTracesForDebugging() throws IOException {
        Files.writeString(root.resolve("square-service-one/transport.properties"), "name=one");

        assertThat(run("up")).isOne();
        assertThat(errors()).contains("transport.properties: port is ''").doesNotContain("\tat ");
    }

    @Test
    void examinesTheMachine() {
        assertThat(run("doctor", "--port-offset=1")).isEqualTo(2);
        run("doctor");
        assertThat(output()).contains("JDK", "Maven", "nats", "processors", "disk");
    }

    @Test
    void coloursOnATerminalOnly() {
        Terminal plain = Terminal.of(Map.of("CHATTERBOX_TTY", "0"));
        Terminal coloured = Terminal.of(Map.of("CHATTERBOX_TTY", "1"));
        Terminal refused = Terminal.of(Map.of("CHATTERBOX_TTY", "1", "NO_COLOR", "1"));

        assertThat(plain.green("x")).isEqualTo("x");
        assertThat(coloured.green("x")).contains("\033[32m");
        assertThat(refused.green("x")).isEqualTo("x");
    }

    @Test
    void writesProgressOnATerminalOnlyAndLeavesNothingOfIt() {
        Terminal plain = terminal(false);
        plain.progress("starting");
        assertThat(output()).isEmpty();

        Terminal interactive = terminal(true);
        interactive.progress("starting");
        interactive.line("done");
        assertThat(output()).isEqualTo("starting\r        \rdone" + System.lineSeparator());
    }

    private int run(String... arguments) {
        CommandLine commandLine = Chatterbox.commandLine(terminal(false), environment);
        return commandLine
                .setErr(new PrintWriter(err, true, StandardCharsets.UTF_8))
                .execute(arguments);
    }

    private Terminal terminal(boolean interactive) {
        return new Terminal(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                interactive,
                false);
    }

    private String output() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private String errors() {
        return err.toString(StandardCharsets.UTF_8);
    }
}
