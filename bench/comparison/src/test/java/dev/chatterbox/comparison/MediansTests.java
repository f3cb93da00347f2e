package dev.chatterbox.comparison;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatterbox.results.Cell;
import dev.chatterbox.results.Figures;
import dev.chatterbox.results.Latency;
import dev.chatterbox.results.RawLimit;
import dev.chatterbox.results.Round;
import dev.chatterbox.workloads.Workload;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class MediansTests {

    private static final CellPlan CLOSED = CellPlan.of("a", Workload.parse("calls=1 users=1"));

    @Test
    void areOfTheValidRoundsAlone() {
        Cell cell = cell(List.of(round(1, 100, false), round(2, 10, true), round(3, 12, true)));

        assertThat(cell.valid()).isFalse();
        assertThat(cell.rounds()).hasSize(3);
        assertThat(cell.median().callsPerSecond()).isEqualTo(11);
        assertThat(cell.spread().requestsPerSecond()).isLessThan(0.2);
    }

    @Test
    void areOfAllRoundsWhereNoneIsValid() {
        Cell cell = cell(List.of(round(1, 100, false), round(2, 10, false)));

        assertThat(cell.valid()).isFalse();
        assertThat(cell.median().callsPerSecond()).isEqualTo(55);
    }

    @Test
    void areTakenFigureByFigure() {
        Cell cell = cell(List.of(round(1, 10, true), round(2, 30, true), round(3, 20, true)));

        assertThat(cell.valid()).isTrue();
        assertThat(cell.median().cpu()).containsEntry("aggregator", 20.0).containsEntry("responder", 2.0);
        assertThat(cell.median().cpuSystem()).as("the median of the sums").isEqualTo(22);
        assertThat(cell.spread().cpuSystem()).isEqualTo(Statistics.rounded(20 / 22.0));
        assertThat(cell.median().allocatedBytesPerCall()).containsEntry("responder", null);
        assertThat(cell.median().memory()).containsEntry("aggregator", new Figures.MemoryUse(100L, 2000L));
        assertThat(cell.spread().requestLatencyP99()).isEqualTo(1);
    }

    @Test
    void mergeTheSamplesOfAllRoundsIntoTheLatencies() {
        Cell cell = cell(List.of(round(1, 10, true), round(2, 30, true), round(3, 20, true), round(4, 999, false)));

        assertThat(cell.median().requestLatency().p50()).as("of 300 samples").isEqualTo(0.02);
        assertThat(cell.median().requestLatency().p95()).as("15 lie beyond").isEqualTo(0.03);
        assertThat(cell.median().requestLatency().p99()).as("3 lie beyond").isNull();
        assertThat(cell.median().requestLatency().max()).isEqualTo(0.03);
        assertThat(cell.median().callLatency()).as("not told").isEqualTo(Latency.NONE);
    }

    @Test
    void tellWhatIsUsedAlsoWhenNothingIsCalled() {
        // 12 CPU-µs per call, 10 calls a second.
        Cell idle = Medians.cell(CLOSED, "direct", List.of(round(1, 10, true)), List.of(), 0.05);

        assertThat(idle.idleShare()).isEqualTo(Statistics.rounded(0.05 / (12 * 10 / 1e6)));
        assertThat(cell(List.of(round(1, 10, true))).idleShare()).isNull();
    }

    @Test
    void keepTheShareAsTheNameAndTheRateBesideIt() {
        Workload share = Workload.parse("calls=10 rate=70%");

        Cell cell = Medians.cell(new CellPlan("a", share, 63.0), "log", List.of(round(1, 10, true)), List.of(), null);

        assertThat(cell.workload()).isEqualTo(share);
        assertThat(cell.arrivalRate()).isEqualTo(63);
        assertThat(Medians.cell(CLOSED, "log", List.of(), List.of(), null).arrivalRate())
                .isNull();
        assertThat(Medians.cell(CLOSED, "log", List.of(), List.of(), null).valid())
                .as("nothing was measured")
                .isFalse();
    }

    @Test
    void areThoseOfABareClientToo() {
        RawLimit limit = Medians.rawLimit("a", 2048, List.of(reached(100), reached(300), reached(200)), List.of());

        assertThat(limit.valid()).isTrue();
        assertThat(limit.median()).isEqualTo(reached(200));
        assertThat(limit.spread()).isEqualTo(1);
        assertThat(Medians.rawLimit("a", 2048, List.of(reached(1)), List.of("wrong: 1"))
                        .valid())
                .isFalse();
        assertThat(Medians.rawLimit("a", 2048, List.of(), List.of()).valid()).isFalse();
    }

    private static RawLimit.Reached reached(double callsPerSecond) {
        return new RawLimit.Reached(callsPerSecond, Map.of("client", 1.5), 1.5);
    }

    private static Cell cell(List<MeasuredRound> rounds) {
        return Medians.cell(CLOSED, "direct", rounds, List.of(), null);
    }

    /** With a hundred requests of so many milliseconds. */
    private static MeasuredRound round(int number, double figure, boolean valid) {
        LatencyBuckets requests =
                new LatencyBuckets(new TreeMap<>(Map.of((long) (figure * 1e6), 100L)), Long.MAX_VALUE);
        return new MeasuredRound(judged(number, figure, valid), requests, LatencyBuckets.NONE);
    }

    private static Round judged(int number, double figure, boolean valid) {
        Map<String, @Nullable Double> allocated = new LinkedHashMap<>();
        allocated.put("responder", null);
        Latency latency = new Latency(0.4, 0.45, 0.47, figure / 1000, null, 0.61);
        return Round.of(
                number,
                valid ? List.of() : List.of("3 requests failed (http-502: 3)"),
                List.of(),
                new Round.Window(
                        5,
                        1000,
                        0,
                        Map.of(),
                        1000,
                        Map.of("ok", 1000L),
                        0,
                        new Round.WarmUp(3, true),
                        null,
                        null,
                        0.02),
                new Figures(
                        figure,
                        figure,
                        latency,
                        latency,
                        Map.of("aggregator", figure, "responder", 2.0),
                        figure + 2,
                        allocated,
                        Map.of("aggregator", new Figures.MemoryUse(100L, (long) figure * 100))));
    }
}
