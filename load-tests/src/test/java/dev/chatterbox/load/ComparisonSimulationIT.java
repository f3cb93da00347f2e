package dev.chatterbox.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Percentage.withPercentage;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** One run of many steps, as ./chatterbox compare has it; each test looks at another side of it. */
class ComparisonSimulationIT {

    private static final String WARM_UP =
            "{\"windowSeconds\":0.4,\"tolerance\":0.5,\"windows\":2,\"minSeconds\":0.8,\"maxSeconds\":2}";

    private static final List<String> STEPS = List.of(
            "{\"id\":\"right\",\"row\":\"right\",\"workload\":\"unary calls=1000 users=10\"}",
            "{\"id\":\"wrong\",\"row\":\"wrong\",\"workload\":\"unary calls=10 users=3\"}",
            "{\"id\":\"some-wrong\",\"row\":\"some-wrong\",\"workload\":\"unary calls=10 users=5\"}",
            "{\"id\":\"busy\",\"row\":\"busy\",\"workload\":\"unary calls=10 users=3\"}",
            "{\"id\":\"moved\",\"row\":\"moved\",\"workload\":\"unary calls=10 users=3\"}",
            "{\"id\":\"silent\",\"row\":\"silent\",\"workload\":\"unary calls=10 users=3\"}",
            "{\"id\":\"broken\",\"row\":\"broken\",\"workload\":\"unary calls=10 users=3\"}",
            "{\"id\":\"slow\",\"row\":\"slow\",\"workload\":\"unary calls=10 users=4\"}",
            "{\"id\":\"1 slow unary calls=1 rate=70%\",\"row\":\"slow\",\"workload\":\"unary calls=1 rate=50.5\"}");

    /** As the comparison names its slots. */
    private static final String OPEN = "1 slow unary calls=1 rate=70%";

    private static final List<JsonNode> EVENTS = new ArrayList<>();

    @TempDir
    static Path folder;

    @SuppressWarnings("NullAway.Init")
    private static TinyServer server;

    @SuppressWarnings("NullAway.Init")
    private static GatlingProcess.Finished generator;

    @BeforeAll
    static void compare() throws Exception {
        server = new TinyServer();
        Path plan = Files.writeString(
                folder.resolve("plan.json"),
                "{\"baseUrl\":\"%s\",\"warmUp\":%s,\"measureSeconds\":1.2,\"requestTimeoutSeconds\":2,\"steps\":[%s]}"
                        .formatted(server.url(), WARM_UP, String.join(",", STEPS)));

        generator = GatlingProcess.run(ComparisonSimulation.class, folder, Map.of("chatterbox.plan", plan.toString()));

        for (String line : generator.output().lines().toList()) {
            if (line.startsWith(EventLines.PREFIX)) {
                EVENTS.add(LoadJson.MAPPER.readTree(line.substring(EventLines.PREFIX.length())));
            }
        }
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void tellsWhatHappensInOrder() {
        assertThat(generator.exitCode()).as(generator.output()).isZero();
        Stream<String> expected = Stream.of(
                        "right", "wrong", "some-wrong", "busy", "moved", "silent", "broken", "slow", OPEN)
                .flatMap(id -> Stream.of("warmup " + id, "measure " + id, "measured " + id, "ended " + id));
        assertThat(EVENTS.stream()
                        .map(event -> (event.path("event").asText() + " "
                                        + event.path("id").asText())
                                .strip()))
                .containsExactlyElementsOf(Stream.of(Stream.of("ready"), expected, Stream.of("done"))
                        .flatMap(e -> e)
                        .toList());
    }

    @ParameterizedTest
    @ValueSource(strings = {"right", "wrong", "some-wrong", "busy", "moved", "silent"})
    void countsExactlyWhatTheServerCounted(String id) {
        JsonNode step = ended(id);

        assertThat(step.path("totalRequests").asLong()
                        + step.path("totalFailed").asLong())
                .isEqualTo(server.requests(id))
                .isPositive();
    }

    @Test
    void countsTheOpenModelsRequestsAsWell() {
        long right = ended("slow").path("totalRequests").asLong()
                + ended(OPEN).path("totalRequests").asLong();

        assertThat(right).isEqualTo(server.requests("slow"));
    }

    @ParameterizedTest
    @CsvSource({
        "wrong, wrong",
        "some-wrong, wrong",
        "busy, http-503",
        "moved, http-302",
        "silent, timeout",
        "broken, connect"
    })
    void namesTheKindOfFailure(String id, String kind) {
        JsonNode step = ended(id);

        assertThat(step.path("failed").asLong()).isPositive();
        assertThat(step.path("failures").path(kind).asLong())
                .isEqualTo(step.path("failed").asLong());
        assertThat(step.path("totalFailures").path(kind).asLong())
                .isEqualTo(step.path("totalFailed").asLong());
    }

    @Test
    void findsEachWrongAnswerAmongRightOnes() {
        JsonNode step = ended("some-wrong");

        assertThat(step.path("totalFailed").asLong()).isEqualTo(server.requests("some-wrong") / 10);
    }

    @Test
    void showsTheFirstWrongAnswerOfAStep() {
        assertThat(generator.output())
                .containsOnlyOnce(
                        "Step wrong: the first request that failed: wrong: square (entry 2 is {\"2\":5}, not 4)");
    }

    @Test
    void keepsOneConnectionAUser() {
        assertThat(server.connections("right")).isEqualTo(10);
    }

    @Test
    void measuresLatencyAndTime() throws Exception {
        JsonNode step = ended("slow");

        assertThat(step.path("seconds").asDouble()).isBetween(1.2, 1.5);
        assertThat(step.path("latency").path("p50").asDouble()).isBetween(0.100, 0.200);
        assertThat(step.path("cpuSeconds").asDouble()).isPositive();
        assertThat(step.path("warmUp").path("seconds").asDouble()).isBetween(0.8, 2.5);
        assertThat(step.path("warmUp").path("windows")).hasSizeGreaterThanOrEqualTo(2);
        long counted = 0;
        for (JsonNode bucket : step.path("buckets")) {
            counted += bucket.path(1).asLong();
        }
        assertThat(counted).isEqualTo(step.path("requests").asLong());
        assertThat(step.path("busiestThread").asDouble()).isBetween(0.0, 1.0);
    }

    @Test
    void keepsTheRateOfTheOpenModel() {
        JsonNode step = ended(OPEN);

        assertThat(step.path("rate").asDouble()).isCloseTo(50.5, withPercentage(10));
        assertThat(step.path("failed").asLong()).isZero();
        assertThat(step.path("latency").path("p50").asDouble()).isBetween(0.100, 0.200);
        assertThat(ended("slow").has("rate")).isFalse();
    }

    @Test
    void writesGatlingsOwnReport() throws Exception {
        try (Stream<Path> files = Files.walk(folder, 2)) {
            assertThat(files.map(file -> file.getFileName().toString()).collect(Collectors.toList()))
                    .contains("index.html", "simulation.log");
        }
    }

    private static JsonNode ended(String id) {
        return EVENTS.stream()
                .filter(event -> event.path("event").asText().equals("ended"))
                .filter(event -> event.path("id").asText().equals(id))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no end of " + id + " in:\n" + generator.output()));
    }
}
