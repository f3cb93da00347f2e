package dev.chatterbox.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.chatterbox.processes.Ports;
import dev.chatterbox.cli.Commands.Result;
import java.io.IOException;
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
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Comparisons as a user makes them: the services, the brokers and the generator of this checkout. */
class CompareIT {

    private final Repository repository =
            new Repository(Path.of("..").toAbsolutePath().normalize());
    private final Commands commands = new Commands(repository);

    @TempDir
    Path directory;

    private Path out;
    private int number;
    private Stack stack;

    @BeforeEach
    void findOffset() {
        assumeTrue(
                Files.isDirectory(repository.root().resolve("load-tests/target/lib"))
                        && Files.isDirectory(repository.root().resolve("aggregator-service/target")),
                "the services are not built: run mvn verify for the whole checkout");
        out = directory.resolve("results");
        number = commands.freeOffset();
        stack = repository.stack(number);
    }

    @AfterEach
    void leavesNothing() throws IOException {
        commands.run("down", "--port-offset", Integer.toString(number));
        assertThatNothingRuns();
        stack.clear();
        Files.deleteIfExists(stack.directory().resolve("lock"));
        Files.deleteIfExists(stack.directory());
    }

    @Test
    void findsEveryCallAgain() throws IOException {
        Result result = compare(Map.of());

        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThatNothingRuns();
        assertThat(result.output()).contains("CPU-µs per call", "Report: " + out.resolve("report.html"));
        assertThat(table(result)).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(100));
        JsonNode results = results();
        List<String> transports =
                repository.transports().stream().map(Transport::name).toList();
        JsonNode counts = results.path("counts");
        assertThat(counts.path("agree").asBoolean()).isTrue();
        for (String transport : transports) {
            assertThat(counts.path("generatorCalls").path(transport).asLong())
                    .isPositive()
                    .isEqualTo(counts.path("aggregatorCalls").path(transport).asLong())
                    .isEqualTo(counts.path("responderSquares").path(transport).asLong());
        }
        assertThat(results.path("cells").values())
                .hasSize(2 * transports.size())
                .allSatisfy(cell -> {
                    assertThat(cell.path("valid").asBoolean())
                            .as(cell.toString())
                            .isTrue();
                    JsonNode median = cell.path("median");
                    assertThat(median.path("callsPerSecond").asDouble()).isPositive();
                    assertThat(median.path("requestLatency").path("p99").asDouble())
                            .isPositive();
                    assertThat(median.path("callLatency").path("p99").asDouble())
                            .isPositive();
                    for (String role : List.of("generator", "aggregator", "responder", "total")) {
                        assertThat(median.path("cpu").path(role).asDouble())
                                .as(role)
                                .isPositive();
                    }
                    boolean broker = !cell.path("kind").asString().equals("direct");
                    assertThat(median.path("cpu").has("broker")).isEqualTo(broker);
                    assertThat(median.path("memory")
                                    .path("aggregator")
                                    .path("peakBytes")
                                    .asLong())
                            .isPositive();
                });
        assertThat(out.resolve("report.html")).isNotEmptyFile();
        assertThat(out.resolve("summary.md")).content().contains(transports);
        assertThat(Files.readAllLines(out.resolve("results.csv"))).hasSize(1 + 2 * transports.size());
        assertThat(results.path("gatlingReports").values())
                .hasSize(1)
                .allSatisfy(page -> assertThat(out.resolve(page.asString())).exists());
    }

    @Test
    void measuresTheOpenModelOnAStackThatRuns() throws IOException {
        Result up = commands.run("up", "--port-offset", Integer.toString(number));
        assertThat(up.exitCode()).as(up.output()).isZero();
        List<Member> members = stack.members();

        Result result = compare(Map.of(), "--rate", "20", "--calls", "5");

        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(result.output()).contains("Using the stack that runs");
        assertThat(results().path("cells").values()).allSatisfy(cell -> {
            assertThat(cell.path("model").asString()).isEqualTo("open");
            assertThat(cell.path("rate").asDouble()).isEqualTo(20);
            assertThat(cell.path("rounds").get(0).path("rate").asDouble()).isBetween(15.0, 25.0);
        });
        assertThat(stack.members())
                .isEqualTo(members)
                .allSatisfy(member -> assertThat(stack.process(member)).isPresent());
    }

    @Test
    void catchesAResponderThatDropsCalls() throws IOException {
        assertThat(reasons(Map.of("CHATTERBOX_FAULTS_DROP", "0.01")))
                .anyMatch(reason -> reason.matches("\\d+ requests? failed \\(.*http-504: \\d+.*"))
                .anyMatch(reason -> reason.matches("\\d+ calls?: timeout"));
    }

    /** Not together with dropped calls: those hold each user up for a deadline, and few other calls are made. */
    @Test
    void catchesAResponderThatAnswersWrong() throws IOException {
        assertThat(reasons(Map.of("CHATTERBOX_FAULTS_WRONG", "0.01")))
                .anyMatch(reason -> reason.matches("\\d+ requests? failed \\(.*http-502: \\d+.*"))
                .anyMatch(reason -> reason.matches("\\d+ calls?: wrong"));
    }

    @Test
    void catchesAResponderThatIsSlow() throws IOException {
        assertThat(reasons(Map.of("CHATTERBOX_FAULTS_DELAY", "50ms")))
                .contains("the responder fails on demand: delay PT0.05S");
        JsonNode cell = results().path("cells").get(0);
        assertThat(cell.path("median").path("callLatency").path("p50").asDouble())
                .isGreaterThan(0.045);
        assertThat(cell.path("median").path("requestLatency").path("p50").asDouble())
                .isGreaterThan(0.05);
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void keepsWhatWasMeasuredWhenItIsInterrupted() throws Exception {
        Path output = directory.resolve("output");
        // One transport alone is judged as it goes, too.
        String first = repository.transports().get(0).name();
        Process compare = start(output, "--rounds", "50", "--transports", first);
        await().atMost(Duration.ofMinutes(3))
                .until(() -> Files.readString(output).contains("round 1/50"));

        compare.toHandle().destroy();

        assertThat(compare.waitFor()).isEqualTo(143);
        assertThat(Files.readString(output)).contains("Interrupted; keeping what was measured.", "report.html");
        assertThatNothingRuns();
        JsonNode results = results();
        assertThat(results.path("interrupted").asBoolean()).isTrue();
        assertThat(results.path("cells").values()).isNotEmpty();
        assertThat(out.resolve("report.html")).isNotEmptyFile();
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void takesItsStackAlongWhenItIsKilled() throws Exception {
        Path output = directory.resolve("output");
        Process compare = start(output, "--rounds", "50");
        await().atMost(Duration.ofMinutes(3))
                .until(() -> Files.readString(output).contains("round 1/50"));
        assertThat(commands.run("down", "--port-offset", Integer.toString(number))
                        .output())
                .contains("Another ./chatterbox");

        compare.destroyForcibly().waitFor();

        await().atMost(Duration.ofSeconds(20)).untilAsserted(this::assertThatNothingRuns);
    }

    /** One transport is enough to tell, and which one does not matter. */
    private List<String> reasons(Map<String, String> faults) throws IOException {
        String first = repository.transports().get(0).name();
        Result result = compare(faults, "--transports", first, "--calls", "10");

        assertThat(result.exitCode()).as(result.output()).isOne();
        assertThat(result.output()).contains("✗ not valid");
        JsonNode cell = results().path("cells").get(0);
        assertThat(cell.path("valid").asBoolean()).isFalse();
        assertThat(results().path("environment").path("faults").has(first)).isTrue();
        return cell.path("rounds").get(0).path("reasons").values().stream()
                .map(JsonNode::asString)
                .toList();
    }

    private Result compare(Map<String, String> environment, String... more) {
        return commands.run(environment, arguments(more));
    }

    private String[] arguments(String... more) {
        List<String> arguments = new java.util.ArrayList<>(List.of(
                "compare", "--preset", "smoke", "--port-offset", Integer.toString(number), "--out", out.toString()));
        arguments.addAll(List.of(more));
        return arguments.toArray(String[]::new);
    }

    /** Its output goes to a file, where it can be watched. */
    private Process start(Path output, String... more) throws IOException {
        Files.createFile(output);
        return commands.start(Map.of(), output, arguments(more));
    }

    private static List<String> table(Result result) {
        return result.output()
                .lines()
                .dropWhile(line -> !line.contains("CPU-µs per call"))
                .takeWhile(line -> !line.startsWith("Report"))
                .toList();
    }

    private JsonNode results() throws IOException {
        return JsonMapper.shared().readTree(Files.readString(out.resolve("results.json")));
    }

    private void assertThatNothingRuns() {
        assertThat(commands.ports(number))
                .allSatisfy(port -> assertThat(Ports.owner(port)).isEmpty());
        assertThat(ProcessHandle.allProcesses())
                .noneMatch(process -> process.info()
                        .commandLine()
                        .filter(line -> line.contains(stack.directory().toString())
                                || line.contains(out.toString()) && line.contains("gatling"))
                        .isPresent());
    }
}
