package dev.chatterbox.comparison;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatterbox.cli.Terminal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** JSON, CSV, Markdown and the terminal's table. */
class OutputTests {

    private static final Terminal PLAIN = Terminal.of(Map.of());

    @Test
    void fitsTheTerminalsTableInAHundredColumns() {
        List<String> lines = Tables.terminal(results(), PLAIN);

        assertThat(lines).allSatisfy(line -> assertThat(line.length()).as(line).isLessThanOrEqualTo(100));
        assertThat(lines)
                .anySatisfy(line -> assertThat(line).contains("broker-a", "1000 × 100", "200k", "13.0"))
                .anySatisfy(line -> assertThat(line).contains("direct-b", "10000 @ 123k/s"));
    }

    @Test
    void saysInRedWhyARowDoesNotCount() {
        Terminal coloured = Terminal.of(Map.of("CHATTERBOX_TTY", "1"));

        List<String> lines = Tables.terminal(results(), coloured);

        assertThat(lines).anySatisfy(line -> assertThat(line).contains("\033[31m", "✗ not valid: 3 requests failed"));
        assertThat(lines).filteredOn(line -> line.contains("broker-a")).noneMatch(line -> line.contains("\033[31m"));
    }

    @Test
    void comparesTheRawLimitWithTheBestOfTheSystem() {
        assertThat(Tables.terminal(results(), PLAIN))
                .anySatisfy(line -> assertThat(line).contains("2048 in flight", "400k", "200k", "2.00"));
        assertThat(Tables.markdown(results())).contains("| broker-a | 400k | 200k | 2.00 |");
    }

    @Test
    void makesARemarkOnce() {
        assertThat(Tables.remarks(results()))
                .contains("other programs took more than 10% of the processors: broker-a 1000 × 100");
    }

    @Test
    void writesOneRowACellAsCsv() {
        List<String> lines = ResultsFolder.csv(results()).lines().toList();

        List<String> columns = List.of(lines.get(0).split(","));
        assertThat(lines).hasSize(3);
        assertThat(columns)
                .contains(
                        "transport",
                        "users",
                        "rate",
                        "cpu.broker",
                        "cpu.total",
                        "requestLatency.p99",
                        "spread.cpuTotal")
                .doesNotContain("rounds.round");
        assertThat(columns.indexOf("cpu.broker")).isEqualTo(columns.indexOf("cpu.responder") + 1);
        Map<String, String> direct = row(columns, lines.get(2));
        assertThat(direct)
                .containsEntry("transport", "direct-b")
                .containsEntry("users", "")
                .containsEntry("cpu.broker", "");
        assertThat(row(columns, lines.get(1)))
                .containsEntry("cpu.total", "13.0")
                .containsEntry("rounds", "3");
    }

    @Test
    void writesTheDocumentedJson() {
        JsonNode json = JsonMapper.shared().readTree(ResultsFolder.json(results()));

        assertThat(json.path("schema").asString()).isEqualTo("chatterbox-results/1");
        assertThat(json.properties().iterator().next().getKey())
                .as("the schema first")
                .isEqualTo("schema");
        JsonNode broker = json.path("cells").get(0);
        assertThat(broker.has("rate")).as("absent where it does not apply").isFalse();
        assertThat(broker.path("users").asInt()).isEqualTo(100);
        assertThat(broker.path("rounds").get(0).path("cpu").path("broker").asDouble())
                .isEqualTo(4);
        assertThat(broker.path("rounds")
                        .get(0)
                        .path("allocatedBytesPerCall")
                        .path("responder")
                        .isNull())
                .as("null where it could not be measured")
                .isTrue();
        JsonNode direct = json.path("cells").get(1);
        assertThat(direct.path("median").path("cpu").has("broker")).isFalse();
        assertThat(direct.path("load").asDouble()).isEqualTo(0.7);
    }

    @Test
    void countsOnlyValidRoundsForTheMedian() {
        CellResult cell = CellResult.of(
                Cell.closed("a", 1, 1),
                "direct",
                List.of(round(1, 100, false), round(2, 10, true), round(3, 12, true)));

        assertThat(cell.valid()).isFalse();
        assertThat(cell.median().callsPerSecond()).isEqualTo(11);
        assertThat(cell.spread().requestsPerSecond()).isLessThan(0.2);
    }

    @Test
    void breaksLongLines() {
        List<String> lines = Tables.wrapped("  ✗ " + "word ".repeat(60));

        assertThat(lines)
                .hasSize(4)
                .allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(100));
        assertThat(lines.get(0)).startsWith("  ✗ word");
    }

    private static Map<String, String> row(List<String> columns, String line) {
        String[] fields = line.split(",", -1);
        Map<String, String> row = new LinkedHashMap<>();
        for (int i = 0; i < columns.size(); i++) {
            row.put(columns.get(i), fields[i]);
        }
        return row;
    }

    private static Results results() {
        List<Round> broker = new ArrayList<>();
        for (int round = 1; round <= 3; round++) {
            broker.add(round(round, 200_000, true));
        }
        Map<String, @Nullable Double> cpu = new LinkedHashMap<>();
        cpu.put("client", 1.5);
        cpu.put("responder", 0.9);
        cpu.put("broker", 2.0);
        return new Results(
                Results.SCHEMA,
                "quick",
                "./chatterbox",
                "2026-11-20T11:00:00Z",
                "2026-11-20T11:04:30Z",
                false,
                Map.of(),
                List.of(
                        CellResult.of(Cell.closed("broker-a", 1000, 100), "broker", broker),
                        CellResult.of(
                                Cell.open("direct-b", 10_000, 123_456, 0.7), "direct", List.of(round(1, 1e6, false)))),
                List.of(RawLimit.of("broker-a", 2048, List.of(new RawLimit.RawRound(400_000.0, cpu)), List.of())),
                new Counts(1, Map.of("broker-a", 1L), Map.of("broker-a", 1L), Map.of("broker-a", 1L), true),
                List.of());
    }

    private static Round round(int number, double callsPerSecond, boolean good) {
        Map<String, @Nullable Double> cpu = new LinkedHashMap<>();
        cpu.put("generator", 1.0);
        cpu.put("aggregator", 6.0);
        cpu.put("responder", 2.0);
        if (good) {
            cpu.put("broker", 4.0);
        }
        Map<String, @Nullable Double> allocated = new LinkedHashMap<>();
        allocated.put("aggregator", 1000.0);
        allocated.put("responder", null);
        Latency latency = new Latency(0.4, 0.45, 0.47, 0.5, 0.61);
        return new Round(
                number,
                good,
                good ? List.of() : List.of("3 requests failed (http-502: 3)"),
                good ? List.of("other programs took " + (10 + number) + "% of the processors") : List.of(),
                5,
                1000,
                1_000_000,
                good ? 0 : 3,
                Map.of(),
                callsPerSecond / 1000,
                callsPerSecond,
                latency,
                latency,
                Map.of("ok", 1_000_000L),
                0,
                cpu,
                allocated,
                Map.of("aggregator", new Round.MemoryUse(100L, 200L)),
                new Round.Warmth(3, true),
                null,
                0.02);
    }
}
