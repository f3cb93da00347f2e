package dev.chatterbox.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatterbox.report.tables.Table;
import dev.chatterbox.results.Cell;
import dev.chatterbox.results.Latency;
import dev.chatterbox.results.Results;
import dev.chatterbox.results.SliceFigures;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class FindingsTests {

    private static MeasuredRun run(SampleRun sample) {
        return MeasuredRun.of("run", sample.results());
    }

    private static String notes(SampleRun sample) {
        return String.join(" ", Findings.notes(run(sample).rankings().get(0)));
    }

    @Test
    void saysWhichVariantIsCheapestAndHowFarTheOthersLieFromIt() {
        assertThat(Findings.headline(run(SampleRun.quick(1))))
                .hasSize(2)
                .last()
                .asString()
                .matches("1,000 calls per request, 8 users: nats costs least, with \\S+ CPU-µs per call\\."
                                .replace("\\S+ CPU", "\\S+ \\[\\S+–\\S+\\] CPU")
                        + " kafka costs 1\\.\\d+ \\[1\\.\\d+–1\\.\\d+\\] times as much and rest costs \\S+ \\[\\S+–\\S+\\] times as"
                        + " much\\. The smallest difference that the run could have seen here is \\S+ %\\.");
    }

    @Test
    void saysWhichVariantsAreTies() {
        assertThat(Findings.headline(run(SampleRun.transports(1))))
                .allSatisfy(sentence -> assertThat(sentence)
                        .matches(".*: (grpc and rsocket|rsocket and grpc) are a tie for the lowest cost, from .*"));
        assertThat(notes(SampleRun.transports(1))).containsPattern("Ties: (grpc with rsocket|rsocket with grpc)");
        assertThat(notes(SampleRun.quick(1))).doesNotContain("Ties");
    }

    @Test
    void saysWhereNothingIsRanked() {
        SampleRun cold = SampleRun.quick(1);
        List.of("nats", "kafka", "rest").forEach(variant -> cold.doubted(variant, "it was not warmed up"));

        assertThat(Findings.headline(run(cold)).get(0)).endsWith(": nothing is ranked.");
    }

    @Test
    void saysTheSameDoubtOfAllWorkloadsOnce() {
        List<String> doubts = Findings.doubts(run(SampleRun.quick(1).doubted("kafka", "it was not warm")));

        assertThat(doubts).containsOnlyOnce("kafka, kafka (bare client): it was not warm.");
    }

    @Test
    void tracedRequestsAreADoubtAboutAllFigures() {
        Results results = SampleRun.quick(1).results();
        ObjectNode settings = (ObjectNode) results.environment().tree().path("settings");

        settings.put("traces", 0.0);
        assertThat(Findings.doubtsOfAll(results)).isEmpty();
        settings.put("traces", 0.01);
        assertThat(Findings.doubtsOfAll(results))
                .containsExactly("Of the requests, a share of 0.01 was traced, and that costs CPU time.");
    }

    @Test
    void saysWhereAThreadEnded() {
        SampleRun odd = SampleRun.quick(1)
                .cells("kafka", cell -> SampleRun.with(cell, withADearSlice(cell), cell.requestLatency(), List.of()));

        assertThat(Findings.doubts(run(odd)))
                .contains(
                        "kafka, kafka (bare client): a thread ended in 1 slice, and its last CPU time is not in the figure.");
    }

    private static List<SliceFigures> withADearSlice(Cell cell) {
        List<SliceFigures> slices = new ArrayList<>(cell.slices());
        SliceFigures one = slices.get(0);
        Map<String, Long> nanos = new LinkedHashMap<>(one.cpuNanos());
        nanos.replaceAll((role, used) -> 20 * used);
        slices.set(
                0,
                new SliceFigures(
                        one.start(),
                        one.block(),
                        one.seconds(),
                        one.requests(),
                        one.calls(),
                        nanos,
                        0,
                        one.generatorBusy(),
                        true,
                        one.memory(),
                        List.of()));
        return slices;
    }

    @Test
    void marksAPercentileThatIsOnlyKnownToBeAtLeastSoLong() {
        Latency latency = new Latency(0.01, 0.02, null, 0.5, null, null, 0.1);

        assertThat(RunTables.percentile(latency, Latency::p50)).isEqualTo("10.0 ms");
        assertThat(RunTables.percentile(latency, Latency::p99)).isEqualTo("≥ 500 ms");
        assertThat(RunTables.percentile(latency, Latency::p95)).isEmpty();
    }

    @Test
    void tellsWhatTheTransportCostsAboveNoTransport() {
        Table table = new RunTables(run(SampleRun.quick(1))).rankings().get(0);
        int price = table.columns().stream().map(Table.Column::title).toList().indexOf("price");

        assertThat(table.lines())
                .extracting(line -> line.fields().get(price).estimate().value() > 0)
                .as("not for memory itself, which stands last")
                .containsExactly(true, true, true, false);
    }

    @Test
    void dividesWhatAVariantCostsByWhatItsBareClientCosts() {
        Table table = new RunTables(run(SampleRun.quick(1))).bareClients();

        assertThat(table.lines()).hasSize(3);
        assertThat(table.notes()).anySatisfy(note -> assertThat(note).contains("1,000 calls per request, 8 users"));
        int ratio = table.columns().stream().map(Table.Column::title).toList().indexOf("variant ÷ bare");
        assertThat(table.lines())
                .allSatisfy(line ->
                        assertThat(line.fields().get(ratio).estimate().value()).isBetween(1.5, 4.0));
    }
}
