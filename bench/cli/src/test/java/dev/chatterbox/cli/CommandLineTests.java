package dev.chatterbox.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatterbox.stack.FakeRepository;
import dev.chatterbox.stack.Member;
import dev.chatterbox.stack.Repository;
import dev.chatterbox.stack.Stack;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** Tests the commands while no stack runs. */
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
            --transports one,grpc  | There is no transport 'grpc'. These are there: one, script, two, two-more
            --calls 10001          | calls must be 1 to 10000
            --calls 0              | calls must be 1 to
            --calls many           | --calls
            --users 0              | users must be 1 or more
            --users 1001           | users must be 1 to 1000
            --rate 0               | rate must be more than 0
            --rate 5 --users 5     | choose
            --workload pigeon      | --workload: there is no call mode 'pigeon'; there are unary, batch, stream, queue
            --workload 'unary calls=1' | --workload: a workload needs either users=N
            --workload 'batch calls=1 users=1' | --workload: size=N is missing
            --workload 'queue calls=1 publishers=0' | --workload: publishers must be 1 to 1000
            --workload 'queue calls=10' --users 2 | a queue has users=1
            --workload 'queue calls=10 groups=2' --calls 1000000 | calls × groups of a queue must be at most 1000000
            --workload 'queue calls=10' | The variant one has no call mode queue; it has unary
            --preset quick --workload 'queue calls=1' --target http://localhost:1 | --target does not go with the call mode queue
            --workload 'stream calls=1 users=1' | The variant one has no call mode stream; it has unary
            --workload 'calls=1 users=1 payload=131073' | --workload: payload must be 0 to 131072
            --workload 'calls=1 users=1 distance=0ms,2500ms' | A distance of 2500 ms leaves a call no time: over a broker it waits for two links
            --payload 7            | Unknown options: '--payload', '7'
            --blocks 0             | blocks must be 1 to 10000
            --starts 0             | starts must be 1 to 100
            --time soon            | --time: a duration is such as
            --time 0.1s            | time must be a second to a day
            --width wide           | --width: it must be a percentage
            --fail-above 5         | goes with --against
            --target http://localhost:1 --fail-above 5 --preset quick | --fail-above goes with --against
            --against nowhere      | neither a folder nor a commit
            --against . --fail-above far | a percentage
            --port-offset 60000    | ports are 1 to 65535
            --out pom.xml          | is not a folder
            """)
    void refusesAComparisonBeforeAnythingStarts(String options, String message) throws IOException {
        preset();

        assertThat(run(typed("compare " + options))).isEqualTo(2);
        assertThat(errors()).contains(message).doesNotContain("\tat ");
        assertThat(root.resolve(".chatterbox")).doesNotExist();
    }

    /** After a case that fails the run goes on, so nothing else would show where it failed. */
    @Test
    void debugShowsTheTraceOfAFailureAfterWhichTheWorkGoesOn() {
        Terminal terminal = terminal(false);
        CommandLine commandLine = Chatterbox.commandLine(terminal, environment);
        terminal.trace(new IllegalStateException("a defect"));
        assertThat(errors()).isEmpty();

        commandLine.parseArgs("--debug", "doctor");
        terminal.trace(new IllegalStateException("a defect"));

        assertThat(errors()).contains("IllegalStateException: a defect", "\tat ");
    }

    /** If there is nothing to keep, the command deletes the folder only if it has made the folder. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void leavesTheUsersOwnFolderWhereItWas(boolean there) throws IOException {
        preset();
        Path out = root.resolve("out");
        if (there) {
            Files.createDirectory(out);
        }
        // The responder has no jar, so the comparison fails after it has made its folder.
        FakeRepository.responder(root, "one", 7575, "jar=target/nothing*.jar");

        assertThat(run("compare", "--transports", "one", "--port-offset", "300", "--out", out.toString()))
                .isOne();

        assertThat(errors()).contains("square-service-one is not built");
        assertThat(Files.exists(out)).isEqualTo(there);
    }

    @ParameterizedTest
    @CsvSource({
        "up --distance 2500ms, 5000",
        "up --distance 1000, 1500",
        "compare --workload 'calls=1 users=1 distance=750ms', 1500"
    })
    void refusesADistanceAtWhichNoCallMeetsItsDeadline(String command, String deadline) throws IOException {
        preset();
        if (!deadline.equals("5000")) {
            environment.put("CHATTERBOX_CALL_TIMEOUT", deadline + "ms");
        }

        assertThat(run(typed(command))).isEqualTo(2);
        assertThat(errors()).contains("leaves a call no time", "its deadline is %s ms.".formatted(deadline));
        assertThat(root.resolve(".chatterbox")).doesNotExist();
    }

    @Test
    void knowsBoundsThatWereSetOtherwise() throws IOException {
        preset();
        environment.put("CHATTERBOX_MAX_CALLS", "50");

        assertThat(run("compare", "--calls", "51")).isEqualTo(2);
        assertThat(errors()).contains("calls must be 1 to 50");
    }

    @Test
    void refusesAPhaseThatHasNoRoomForItsTimes() {
        assertThat(run("resilience", "--cases", "power", "--phase", "31m")).isEqualTo(2);
        assertThat(errors()).contains("--phase: it must be 1s to 30m");
        assertThat(run("resilience", "--cases", "power", "--phase", "0")).isEqualTo(2);
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
        assertThat(run("up", "--distance", "near")).isEqualTo(2);
        assertThat(errors())
                .contains("Did you mean", "--port-offset", "ports are 1 to 65535", "distance must be a whole number");
    }

    @Test
    void saysThatNothingIsRunning() {
        assertThat(run("status")).isEqualTo(3);
        assertThat(output()).contains("Nothing is running", "./chatterbox up");
        assertThat(run("down")).isZero();
        assertThat(run("down", "--all")).isZero();
    }

    @Test
    void stopsTheOtherStacksWhereOneIsInUse() throws IOException {
        Repository repository = Repository.of(Map.of("CHATTERBOX_HOME", root.toString()));
        for (int offset : new int[] {0, 1000}) {
            Stack stack = repository.stack(offset);
            Files.createDirectories(stack.directory());
            long self = ProcessHandle.current().pid();
            stack.record(new Member(Member.Kind.SERVICE, "one", self, "2020-01-01T00:00:00Z", 7575, "/well", ""));
        }

        try (Stack.Lock held = repository.stack(0).lock()) {
            assertThat(run("down", "--all")).isEqualTo(1);
        }

        assertThat(errors()).contains("--port-offset 0: Another ./chatterbox starts");
        assertThat(repository.stacks()).extracting(Stack::offset).containsExactly(0);
    }

    @Test
    void neverTouchesAProcessThatHasTheRecordedPidByChance() throws IOException {
        Stack stack = Repository.of(Map.of("CHATTERBOX_HOME", root.toString())).stack(0);
        Files.createDirectories(stack.directory());
        long self = ProcessHandle.current().pid();
        stack.record(
                new Member(Member.Kind.SERVICE, "square-service-one", self, "2020-01-01T00:00:00Z", 7575, "/well", ""));

        assertThat(run("status")).isEqualTo(3);
        assertThat(output()).contains("dead");
        assertThat(run("down")).isZero();
        assertThat(output()).contains("Nothing is running").doesNotContain("stopped");
        assertThat(Repository.of(Map.of("CHATTERBOX_HOME", root.toString())).stacks())
                .isEmpty();
    }

    @Test
    void keepsStackTracesForDebugging() throws IOException {
        Files.writeString(root.resolve("square-service-one/responder.properties"), "jar=x.jar");

        assertThat(run("up")).isEqualTo(2);
        assertThat(errors())
                .contains("responder.properties: port.http is missing")
                .doesNotContain("\tat ");
    }

    @Test
    void examinesTheMachine() {
        assertThat(run("doctor", "--port-offset=1")).isEqualTo(2);
        run("doctor");
        assertThat(output()).contains("JDK", "Maven", "nats", "processors", "disk");
    }

    @Test
    void saysHowToGetABrokerThatAVariantBeyondTheDefaultNeeds() throws IOException {
        FakeRepository.variant(root, "rare", """
                kind=broker
                responder=square-service-one
                responder.name=square-service-rare
                responder.port.http=7800
                broker=rare
                broker.class=dev.chatterbox.stack.RareBroker
                """);
        int withoutIt = run("doctor", "--transports", "one");
        assertThat(output()).contains("– rare", "optional", "a miracle");
        assertThat(run("doctor", "--transports", "one,rare")).isEqualTo(1);
        assertThat(output()).contains("✗ rare");
        assertThat(withoutIt).isEqualTo(run("doctor", "--transports", "one"));
    }

    @Test
    void needsAsMuchMemoryAsTheVariantsTake() {
        run("doctor", "--transports", "one");
        String one = needed();
        out.reset();
        run("doctor", "--transports", "all");

        assertThat(output()).contains("nats");
        assertThat(Double.parseDouble(needed())).isGreaterThan(Double.parseDouble(one));
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
        assertThat(output()).isEqualTo("starting\r\033[Kdone" + System.lineSeparator());
    }

    @Test
    void replacesProgressOfSeveralLinesInPlace() {
        Terminal interactive = terminal(true);
        interactive.progress("a table\n" + "x".repeat(100));
        interactive.line("done");
        assertThat(output())
                .isEqualTo("a table\n" + "x".repeat(78) + "…\r\033[K\033[A\033[Kdone" + System.lineSeparator());
    }

    /** The memory that the variants need, in gigabytes. */
    private String needed() {
        Matcher needed = Pattern.compile("these variants need ([0-9.]+) GB").matcher(output());
        assertThat(needed.find()).as(output()).isTrue();
        return needed.group(1);
    }

    private void preset() throws IOException {
        Path presets = Files.createDirectories(root.resolve("bench/workloads/presets"));
        for (String name : List.of("quick.properties", "against.properties")) {
            Files.copy(Path.of("..", "workloads", "presets", name), presets.resolve(name));
        }
    }

    /** The arguments of a line as a person types it: those with blanks are in single quotes. */
    static String[] typed(String line) {
        return Pattern.compile("'([^']*)'|\\S+")
                .matcher(line)
                .results()
                .map(word -> word.group(1) == null ? word.group() : word.group(1))
                .toArray(String[]::new);
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

    /** A JVM whose language has digits of its own would write them into addresses and files of settings. */
    @Test
    void numbersHaveAsciiDigitsInEveryLanguage() throws Exception {
        ProcessBuilder command = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "-Duser.language=fa",
                "-Duser.country=IR",
                "-cp",
                System.getProperty("java.class.path"),
                Chatterbox.class.getName(),
                "up",
                "--port-offset=60000");
        command.environment().put("CHATTERBOX_HOME", root.toString());
        Process process = command.redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(process.waitFor()).as(output).isEqualTo(ExitCode.WRONG_USAGE);
        assertThat(output).containsPattern("[0-9]").doesNotContainPattern("[\\p{Nd}&&[^0-9]]");
    }
}
