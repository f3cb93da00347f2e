package dev.chatterbox.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatterbox.results.Cell;
import dev.chatterbox.results.Counts;
import dev.chatterbox.results.Environment;
import dev.chatterbox.results.Figures;
import dev.chatterbox.results.Latency;
import dev.chatterbox.results.RawLimit;
import dev.chatterbox.results.Results;
import dev.chatterbox.results.ResultsFile;
import dev.chatterbox.results.Round;
import dev.chatterbox.workloads.Workload;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The terminal's table, CSV and Markdown. */
class TerminalTableTests {

    private static final Ink COLOURED = new Ink() {
        @Override
        public String bold(String text) {
            return "<bold>" + text;
        }

        @Override
        public String red(String text) {
            return "<red>" + text;
        }
    };

    private static final String LONGEST_ROW = "nats-a-long-variant";

    @Test
    void fitsAHundredColumns() {
        Results results = results(LONGEST_ROW, "direct-b", "unary calls=10000 rate=70% payload=1024 distance=5ms");
        List<String> lines = TerminalTable.lines(results, Ink.NONE);

        assertThat(LONGEST_ROW).hasSize(19);
        assertThat(lines)
                .allSatisfy(line -> assertThat(line.length()).as(line).isLessThanOrEqualTo(100))
                .anySatisfy(line -> assertThat(line).startsWith(LONGEST_ROW).contains("1000 × 100", "200k", "12.0"))
                .anySatisfy(line -> assertThat(line).startsWith("direct-b").contains("10000 @ 123k"))
                .contains("1,024 bytes of payload, 5 ms of distance:");
    }

    @Test
    void hasAColumnForTheNetworkAndItsRoundTripsWhereThereIsOne() {
        List<String> lines = TerminalTable.lines(
                SampleResults.of("distance", 1, SampleResults.NATS.named(LONGEST_ROW))
                        .workloads("unary calls=1000 users=100 distance=1000")
                        .roundTrips(1000)
                        .rawLimits()
                        .results(),
                Ink.NONE);

        assertThat(lines)
                .allSatisfy(line -> assertThat(line.length()).as(line).isLessThanOrEqualTo(100))
                .anySatisfy(line -> assertThat(line).contains("its parts; generator, network"))
                .anySatisfy(line -> assertThat(line).containsSubsequence("gen", "net", "spread"))
                .anySatisfy(line -> assertThat(line).containsSubsequence("asked for", "idle", "under load"))
                .anySatisfy(line -> assertThat(line)
                        .containsSubsequence("link-of-" + LONGEST_ROW, "1000 ms", "1,000 ms", "1,001 ms"));
        assertThat(TerminalTable.lines(results(), Ink.NONE)).noneMatch(line -> line.contains("net"));
    }

    @Test
    void cutsOnlyNamesThatAreTooLong() {
        String name = "a-name-of-a-row-that-is-too-long";

        assertThat(TerminalTable.lines(results(name, "direct-b", "unary calls=1 users=1"), Ink.NONE))
                .allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(100))
                .anySatisfy(line -> assertThat(line).startsWith("a-name-of-a-row-th… "));
    }

    @Test
    void saysInRedWhyACellDoesNotCount() {
        List<String> lines = TerminalTable.lines(results(), COLOURED);

        assertThat(lines).anySatisfy(line -> assertThat(line).startsWith("<red>  ✗ not valid: 3 requests failed"));
        assertThat(lines).filteredOn(line -> line.contains("broker-a")).noneMatch(line -> line.contains("<red>"));
    }

    @Test
    void comparesTheRawLimitWithTheBestOfTheSystem() {
        assertThat(TerminalTable.lines(results(), Ink.NONE))
                .anySatisfy(line -> assertThat(line.split(" +"))
                        .containsExactly(
                                "row", "raw:", "in", "flight", "sum", "bare", "resp", "broker", "spread", "calls/s",
                                "system", "ratio"))
                .anySatisfy(line -> assertThat(line.split(" +")).contains("2048", "400k", "200k", "2.00"));
        assertThat(Markdown.of(new MeasuredRun("run", results()))).contains("| broker-a | 400 k | 200 k | 2.00 |");
    }

    @Test
    void makesARemarkOnce() {
        assertThat(Remarks.of(results()))
                .containsOnlyOnce("other programs took more than 10% of the processors: broker-a 1000 × 100");
    }

    @Test
    void saysWhatIsNotRankedAndWhatIsUsedAnyway() {
        assertThat(Remarks.of(results()))
                .contains(
                        "CPU and throughput are not ranked, too few calls: broker-a 1000 × 100",
                        "more than 5 % of the system's CPU is used also when nothing is called: broker-a 1000 × 100");
    }

    @Test
    void writesOneLineACellAsCsv() {
        List<String> lines = Csv.of(results()).lines().toList();

        List<String> columns = List.of(lines.get(0).split(","));
        assertThat(lines).hasSize(3);
        assertThat(columns)
                .startsWith(
                        "row",
                        "kind",
                        "exchange",
                        "size",
                        "calls",
                        "users",
                        "rate",
                        "payload",
                        "distance",
                        "arrivalRate")
                .contains("cpu.broker", "cpuSystem", "requestLatency.p99", "spread.cpuSystem")
                .doesNotHaveDuplicates();
        assertThat(columns.indexOf("cpu.broker")).isEqualTo(columns.indexOf("cpu.responder") + 1);
        assertThat(fields(columns, lines.get(2)))
                .containsEntry("row", "direct-b")
                .containsEntry("exchange", "unary")
                .containsEntry("users", "")
                .containsEntry("rate", "70%")
                .containsEntry("arrivalRate", "123456.0")
                .containsEntry("valid", "false")
                .containsEntry("cpu.broker", "");
        assertThat(fields(columns, lines.get(1)))
                .containsEntry("users", "100")
                .containsEntry("rate", "")
                .containsEntry("payload", "0")
                .containsEntry("distance", "0")
                .containsEntry("cpuSystem", "12.0")
                .containsEntry("rounds", "3");
    }

    @Test
    void quotesWhatWouldEndAField() {
        assertThat(Csv.of(results("a,\"b\"", "direct-b", "unary calls=1 users=1")))
                .contains("\"a,\"\"b\"\"\",broker");
    }

    @Test
    void writesATableToPaste() {
        assertThat(Markdown.of(new MeasuredRun("run", results())))
                .startsWith("# quick, 2026-11-20 11:00 UTC")
                .contains(
                        "| broker-a | 1,000 calls, 100 users | 12.0 | 6.00 | 2.00 | 4.00 | 0 % | 1.00 | 200 k | 200 | 400 ms | 500 ms | yes |")
                .contains("| direct-b | 10,000 calls, 70 % of capacity |", "**no**: 3 requests failed");
    }

    @Test
    void breaksLongLines() {
        List<String> lines = TextLines.wrapped("  ", "✗ " + "word ".repeat(60));

        assertThat(lines)
                .hasSize(4)
                .allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(100));
        assertThat(lines.get(0)).startsWith("  ✗ word");
        assertThat(lines.get(1)).startsWith("    word");
    }

    private static Map<String, String> fields(List<String> columns, String line) {
        String[] fields = line.split(",", -1);
        assertThat(fields).hasSize(columns.size());
        Map<String, String> row = new LinkedHashMap<>();
        for (int i = 0; i < fields.length; i++) {
            row.put(columns.get(i), fields[i]);
        }
        return row;
    }

    private static Results results() {
        return results("broker-a", "direct-b", "unary calls=10000 rate=70%");
    }

    private static Results results(String broker, String direct, String directsWorkload) {
        List<Round> rounds = new ArrayList<>();
        for (int round = 1; round <= 3; round++) {
            rounds.add(round(round, 200_000, true));
        }
        Round invalid = round(1, 1e6, false);
        Map<String, @Nullable Double> cpu = new LinkedHashMap<>();
        cpu.put("client", 1.5);
        cpu.put("responder", 0.9);
        cpu.put("broker", 2.0);
        RawLimit.Reached reached = new RawLimit.Reached(400_000.0, cpu, 4.4);
        return new Results(
                ResultsFile.SCHEMA,
                "quick",
                "./chatterbox",
                Instant.parse("2026-11-20T11:00:00Z"),
                Instant.parse("2026-11-20T11:04:30Z"),
                false,
                Environment.NONE,
                Map.of(),
                List.of(
                        new Cell(
                                broker,
                                "broker",
                                Workload.parse("unary calls=1000 users=100"),
                                null,
                                true,
                                new Cell.NotRanked(List.of("too few calls"), List.of()),
                                0.07,
                                rounds,
                                rounds.get(0).figures(),
                                new Cell.Spread(0.0, 0.0, 0.0, null)),
                        new Cell(
                                direct,
                                "direct",
                                Workload.parse(directsWorkload),
                                Workload.parse(directsWorkload).isOpen() ? (Double) 123_456.0 : null,
                                false,
                                Cell.NotRanked.NOTHING,
                                null,
                                List.of(invalid),
                                invalid.figures(),
                                Cell.Spread.NONE)),
                List.of(new RawLimit(broker, true, List.of(), 2048, List.of(reached), reached, null)),
                new Counts(1, Map.of(broker, 1L), Map.of(broker, 1L), Map.of(broker, 1L), true),
                List.of(),
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
        Latency latency = new Latency(0.4, 0.45, 0.47, 0.5, null, 0.61);
        return Round.of(
                number,
                good ? List.of() : List.of("3 requests failed (http-502: 3)"),
                good ? List.of("other programs took " + (10 + number) + "% of the processors") : List.of(),
                new Round.Window(
                        5,
                        1000,
                        good ? 0 : 3,
                        Map.of(),
                        1_000_000,
                        Map.of("ok", 1_000_000L),
                        0,
                        new Round.WarmUp(3, true),
                        null,
                        null,
                        0.02),
                new Figures(
                        callsPerSecond / 1000,
                        callsPerSecond,
                        latency,
                        latency,
                        cpu,
                        good ? 12.0 : 8.0,
                        allocated,
                        Map.of("aggregator", new Figures.MemoryUse(100L, 200L))));
    }
}
