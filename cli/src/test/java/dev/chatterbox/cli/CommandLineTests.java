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
    void printsItsHelpWithoutAWord() {
        assertThat(run()).isZero();
        assertThat(output()).contains("up", "down", "status", "doctor", "The comparison is not here yet");
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
