package dev.chatterbox.comparison;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.DOUBLE;

import dev.chatterbox.results.Cell;
import dev.chatterbox.results.Latency;
import dev.chatterbox.results.QueueFigures;
import dev.chatterbox.results.Role;
import dev.chatterbox.results.SliceFigures;
import dev.chatterbox.stack.Member;
import dev.chatterbox.stack.Target;
import dev.chatterbox.variants.Variants;
import dev.chatterbox.workloads.SliceResult;
import dev.chatterbox.workloads.Workload;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class CellLogTests {

    private static final long MILLI = 1_000_000;

    private final CellLog log = new CellLog(subject(), true);

    private static Subject subject() {
        Target.VariantTarget variant = new Target.VariantTarget(
                Variants.read(Path.of("../../variants")).find("nats").orElseThrow(),
                Optional.empty(),
                Optional.empty(),
                List.of(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
        Target target = new Target(
                Target.Service.of(Member.of("aggregator", 1, 1)),
                List.of(variant),
                List.of(),
                Optional.empty(),
                Map.of());
        return new Subject("", target, "nats", false, Workload.parse("calls=10 rate=100"));
    }

    /** Adds a slice in which the generator's busiest thread was so busy. */
    private void add(int block, double busy, String... reasons) {
        SliceResult result = new SliceResult("s", 1, 100, Map.of(), 0, new Histogram(3), busy);
        CellLog.Use use =
                new CellLog.Use(Map.of(Role.AGGREGATOR, 5_000_000L), 0, false, Map.of(Role.AGGREGATOR, 100L * block));
        log.add(1, block, result, true, use, List.of(reasons));
    }

    /** @param millis of each request; requests from {@code unanswered} on were given up at that age, if it is not 0 */
    private static SliceResult result(long unanswered, long... millis) {
        Histogram histogram = new Histogram(3);
        Arrays.stream(millis).forEach(each -> histogram.recordValue(each * MILLI));
        return new SliceResult("s", 1, 90, Map.of(), unanswered * MILLI, histogram, 0.5);
    }

    private static long[] oneTo(int most) {
        long[] millis = new long[most];
        Arrays.setAll(millis, index -> index + 1);
        return millis;
    }

    @Test
    void addsUpTheLatenciesOfItsSlices() {
        log.addLatency(result(0, oneTo(100)));
        log.addLatency(result(0, oneTo(100)));

        Latency latency = log.cell(List.of()).requestLatency();

        assertThat(latency.p50()).asInstanceOf(DOUBLE).isBetween(0.049, 0.051);
        assertThat(latency.p95()).asInstanceOf(DOUBLE).isBetween(0.0945, 0.0955);
        assertThat(latency.p99()).as("only two samples lie beyond").isNull();
        assertThat(latency.max()).asInstanceOf(DOUBLE).isBetween(0.0995, 0.1005);
        assertThat(latency.isLowerBound(1)).isFalse();
    }

    @Test
    void dividesTheWrittenBytesByTheCallsThatTheyAreKnownOf() {
        log.addLatency(result(0));
        assertThat(log.cell(List.of()).writtenPerCall()).isNull();

        log.addWritten(result(0), 450);

        long calls = 90L * log.subject().workload().calls();
        assertThat(log.cell(List.of()).writtenPerCall()).isEqualTo(450.0 / calls);
    }

    /** A variant that lost messages must not be ranked silently. */
    @Test
    void sumsUpTheRunsOfAQueueAndDoubtsALoss() {
        QueueFigures slice = new QueueFigures(
                1,
                Map.of(QueueFigures.NO_PROGRESS, 1L),
                10,
                10,
                0,
                0,
                9,
                9,
                1,
                1,
                0,
                0L,
                0.001,
                10_000,
                9_000,
                Latency.NONE,
                Latency.NONE);

        log.addMessages(slice, true);
        log.addMessages(slice, false);

        Cell cell = log.cell(List.of());
        assertThat(cell.queue()).isEqualTo(QueueFigures.sum(List.of(slice, slice), List.of(slice)));
        assertThat(cell.isRanked()).isFalse();
        assertThat(cell.doubts()).anyMatch(doubt -> doubt.contains("2 were not consumed, 2 of them acknowledged"));
    }

    /** The planted flaw: a request that is never answered makes its slice invalid, and must not make it look fast. */
    @Test
    void countsARequestThatWasNeverAnsweredByItsAge() {
        add(1, 0.1, "1 of the requests failed (timeout: 1)");
        log.addLatency(result(80, oneTo(100)));

        Latency latency = log.cell(List.of()).requestLatency();

        assertThat(latency.atLeast()).isEqualTo(0.08);
        assertThat(latency.isLowerBound(0.08)).isTrue();
        assertThat(latency.isLowerBound(0.079)).isFalse();
    }

    @Test
    void saysWhenTheGeneratorIsTheLimitInMostSlices() {
        add(1, 0.95);
        add(2, 0.5);
        add(3, 0.5);
        assertThat(log.cell(List.of()).doubts()).containsExactly("only 3 of its slices count, and an interval needs 4");
        add(4, 0.95);
        assertThat(log.cell(List.of()).doubts()).isEmpty();

        add(5, 0.95);

        assertThat(log.cell(List.of("more")).doubts())
                .hasSize(2)
                .contains("more")
                .anyMatch(doubt -> doubt.startsWith("the load generator is the limit"));
    }

    @Test
    void takesTheSlicesOfABlockOut() {
        for (int block = 1; block <= 20; block++) {
            add(block, 0);
        }
        log.exclude(1, 3, List.of("because"));
        log.exclude(2, 4, List.of("another start"));
        log.exclude(1, 5, List.of());

        Cell cell = log.cell(List.of());

        assertThat(cell.counted()).hasSize(19);
        assertThat(cell.slices().get(2).reasons()).containsExactly("because");
        assertThat(cell.valid()).as("5 %").isTrue();
        assertThat(cell.memory()).containsEntry(Role.AGGREGATOR, 2000L);

        log.exclude(1, 6, List.of("because"));
        log.exclude(1, 7, List.of("because"));
        assertThat(log.cell(List.of()).valid()).as("15 %").isFalse();
    }

    @Test
    void isNotBlamedForWhatOtherProgramsDid() {
        for (int block = 1; block <= 10; block++) {
            add(block, 0);
        }
        for (int block = 1; block <= 4; block++) {
            log.exclude(1, block, List.of(SliceFigures.OTHER_PROGRAMS + " 30 % of the processors in its block"));
        }

        assertThat(log.cell(List.of()).counted()).hasSize(6);
        assertThat(log.cell(List.of()).valid()).isTrue();
    }

    @Test
    void forgetsABlockThatDidNotComeToItsEndUnlessItIsTheFirst() {
        add(1, 0);
        add(2, 0);

        log.leaveOut(1, 2, true);
        assertThat(log.cell(List.of()).slices()).hasSize(1);
        log.leaveOut(1, 1, false);

        assertThat(log.cell(List.of()).slices())
                .singleElement()
                .satisfies(slice -> assertThat(slice.reasons()).containsExactly("its block did not come to its end"));
    }
}
