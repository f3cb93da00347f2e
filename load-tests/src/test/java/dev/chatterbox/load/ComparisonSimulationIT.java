package dev.chatterbox.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Percentage.withPercentage;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** One run of many cells, as ./chatterbox compare has it; each test looks at another side of it. */
class ComparisonSimulationIT {

    private static final String WARM_UP =
            "{\"windowSeconds\":0.4,\"tolerance\":0.5,\"windows\":2,\"minSeconds\":0.8,\"maxSeconds\":2}";

    private static final List<String> CELLS = List.of(
            "{\"id\":\"right\",\"round\":1,\"transport\":\"right\",\"calls\":1000,\"users\":10}",
            "{\"id\":\"wrong\",\"transport\":\"wrong\",\"calls\":10,\"users\":3}",
            "{\"id\":\"some-wrong\",\"transport\":\"some-wrong\",\"calls\":10,\"users\":5}",
            "{\"id\":\"busy\",\"transport\":\"busy\",\"calls\":10,\"users\":3}",
            "{\"id\":\"moved\",\"transport\":\"moved\",\"calls\":10,\"users\":3}",
            "{\"id\":\"silent\",\"transport\":\"silent\",\"calls\":10,\"users\":3}",
            "{\"id\":\"broken\",\"transport\":\"broken\",\"calls\":10,\"users\":3}",
            "{\"id\":\"slow\",\"transport\":\"slow\",\"calls\":10,\"users\":4}",
            "{\"id\":\"open\",\"transport\":\"slow\",\"calls\":1,\"rate\":50.5}");

    private static final List<JsonNode> EVENTS = new ArrayList<>();

    @TempDir
    static Path folder;

    @SuppressWarnings("NullAway.Init")
    private static TinyServer server;

    @SuppressWarnings("NullAway.Init")
    private static Generator.Finished generator;

    @BeforeAll
    static void compare() throws Exception {
        server = new TinyServer();
        Path plan = Files.writeString(
                folder.resolve("plan.json"),
                "{\"baseUrl\":\"%s\",\"warmUp\":%s,\"measureSeconds\":1.2,\"requestTimeoutSeconds\":0.5,\"cells\":[%s]}"
                        .formatted(server.url(), WARM_UP, String.join(",", CELLS)));

        generator = Generator.run(ComparisonSimulation.class, folder, Map.of("chatterbox.plan", plan.toString()));

        for (String line : generator.output().lines().toList()) {
            if (line.startsWith(EventLines.PREFIX)) {
                EVENTS.add(Json.MAPPER.readTree(line.substring(EventLines.PREFIX.length())));
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
                        "right", "wrong", "some-wrong", "busy", "moved", "silent", "broken", "slow", "open")
                .flatMap(id -> Stream.of("warmup " + id, "measure " + id, "measured " + id, "cell " + id));
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
        JsonNode cell = cell(id);

        assertThat(cell.path("totalRequests").asLong()
                        + cell.path("totalFailed").asLong())
                .isEqualTo(server.requests(id))
                .isPositive();
    }

    @Test
    void countsTheOpenModelsRequestsAsWell() {
        long right = cell("slow").path("totalRequests").asLong()
                + cell("open").path("totalRequests").asLong();

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
        JsonNode cell = cell(id);

        assertThat(cell.path("failed").asLong()).isPositive();
        assertThat(cell.path("failures").path(kind).asLong())
                .isEqualTo(cell.path("failed").asLong());
        assertThat(cell.path("totalFailures").path(kind).asLong())
                .isEqualTo(cell.path("totalFailed").asLong());
    }

    @Test
    void findsEachWrongAnswerAmongRightOnes() {
        JsonNode cell = cell("some-wrong");

        assertThat(cell.path("totalFailed").asLong()).isEqualTo(server.requests("some-wrong") / 10);
    }

    @Test
    void showsTheFirstWrongAnswerOfACell() {
        assertThat(generator.output())
                .containsOnlyOnce(
                        "Cell wrong: the first request that failed: wrong: square (entry 2 is {\"2\":5}, not 4)");
    }

    @Test
    void keepsOneConnectionAUser() {
        assertThat(server.connections("right")).isEqualTo(10);
    }

    @Test
    void measuresLatencyAndTime() throws Exception {
        JsonNode cell = cell("slow");

        assertThat(cell.path("seconds").asDouble()).isBetween(1.2, 1.5);
        assertThat(cell.path("latency").path("p50").asDouble()).isBetween(0.100, 0.200);
        assertThat(cell.path("cpuSeconds").asDouble()).isPositive();
        assertThat(cell.path("warmUp").path("seconds").asDouble()).isBetween(0.8, 2.5);
        assertThat(cell.path("warmUp").path("windows")).hasSizeGreaterThanOrEqualTo(2);
        Histogram histogram = Histogram.decodeFromCompressedByteBuffer(
                ByteBuffer.wrap(
                        Base64.getDecoder().decode(cell.path("histogram").asText())),
                0);
        assertThat(histogram.getTotalCount()).isEqualTo(cell.path("requests").asLong());
    }

    @Test
    void keepsTheRateOfTheOpenModel() {
        JsonNode cell = cell("open");

        assertThat(cell.path("rate").asDouble()).isCloseTo(50.5, withPercentage(10));
        assertThat(cell.path("failed").asLong()).isZero();
        assertThat(cell.path("latency").path("p50").asDouble()).isBetween(0.100, 0.200);
        assertThat(cell("slow").has("rate")).isFalse();
    }

    @Test
    void writesGatlingsOwnReport() throws Exception {
        try (Stream<Path> files = Files.walk(folder, 2)) {
            assertThat(files.map(file -> file.getFileName().toString()).collect(Collectors.toList()))
                    .contains("index.html", "simulation.log");
        }
    }

    private static JsonNode cell(String id) {
        return EVENTS.stream()
                .filter(event -> event.path("event").asText().equals("cell"))
                .filter(event -> event.path("id").asText().equals(id))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no cell " + id + " in:\n" + generator.output()));
    }
}
