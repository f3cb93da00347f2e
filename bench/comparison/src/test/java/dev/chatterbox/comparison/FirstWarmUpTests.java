package dev.chatterbox.comparison;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.chatterbox.processes.clocks.JitTime;
import dev.chatterbox.workloads.Workload;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class FirstWarmUpTests {

    private static final long SELF = ProcessHandle.current().pid();

    @Test
    void addsTheJitsOfAllProcesses() {
        Map<Long, JitTime> before =
                Map.of(1L, new JitTime(100, Map.of("11", 30L, "12", 20L)), 2L, new JitTime(1000, Map.of()));
        Map<Long, JitTime> after =
                Map.of(1L, new JitTime(200, Map.of("11", 50L, "13", 10L)), 2L, new JitTime(1100, Map.of()));

        assertThat(JitTime.share(before, after)).as("12 has ended, 13 is new").isEqualTo(30.0 / 200, within(1e-9));
        assertThat(JitTime.share(before, before)).as("nothing was done").isEqualTo(1);
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void findsTheCompilerThreadsOfAJvm() {
        Map<Long, JitTime> times = JitTime.of(List.of(SELF));

        assertThat(JitTime.isKnown(times)).isTrue();
        assertThat(times)
                .hasEntrySatisfying(SELF, time -> assertThat(time.compilers()).isNotEmpty());
    }

    @Test
    void isWarmWhenCostsAndJitsHaveComeToRest() {
        WarmUpTrend trend = trend(0.01, 20, 15, 12, 10.1, 10.0);
        assertThat(trend.isWarm()).as("still falling").isFalse();
        trend.add(10.1, 0.01);
        trend.add(9.9, 0.01);
        trend.add(10.0, 0.01);
        assertThat(trend.isWarm()).isTrue();
        trend.add(10.0, 0.2);
        assertThat(trend.isWarm()).as("a compiler at work").isFalse();
    }

    @Test
    void needsTenSecondsToSeeATrend() {
        assertThat(trend(0.01, 10, 10, 10, 10).isWarm()).isFalse();
        assertThat(trend(0.01, 10).isWarmAfterLoad())
                .as("where the heavy load came first")
                .isTrue();
    }

    @Test
    void goesByTheCostsAloneWhereTheSystemDoesNotTellOfJits() {
        assertThat(trend(Double.NaN, 10, 10, 10, 10, 10).isWarm()).isTrue();
        assertThat(trend(Double.NaN, 14, 13, 12, 11, 10).isWarm()).isFalse();
    }

    private static WarmUpTrend trend(double jitShare, double... costs) {
        WarmUpTrend trend = new WarmUpTrend();
        for (double cost : costs) {
            trend.add(cost, jitShare);
        }
        return trend;
    }

    @Test
    void leavesHalfOfItsTimeToTheLastTurn() {
        FirstWarmUp warmUp = new FirstWarmUp(new WarmUpBounds(0, 6));
        CellPlan load = CellPlan.of("a", Workload.parse("calls=1000 users=100"));
        long begin = System.nanoTime();

        warmUp.begin(
                new Slot(0, 1, load, WarmUpBounds.fixed(5), 0.1, 1, true),
                List.of(SELF),
                List.of(SELF),
                () -> Double.NaN,
                List.of());
        Awaitility.await()
                .atMost(Duration.ofSeconds(6))
                .until(() -> warmUp.isOver()
                        .filter(words -> words.endsWith("not warm yet, its last turn goes on"))
                        .isPresent());
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isBetween(Duration.ofSeconds(3), Duration.ofSeconds(6));

        warmUp.begin(
                new Slot(0, 2, load, WarmUpBounds.fixed(5), 0.1, 1, true),
                List.of(SELF),
                List.of(SELF),
                () -> Double.NaN,
                List.of());
        assertThat(warmUp.isOver()).as("the other half is there").isEmpty();
    }

    @Test
    void endsAtItsCapAndDoubtsTheCells() {
        FirstWarmUp warmUp = new FirstWarmUp(new WarmUpBounds(0.2, 1));
        CellPlan load = CellPlan.of("a", Workload.parse("calls=1000 users=100"));
        CellPlan cell = CellPlan.of("a", Workload.parse("calls=1 users=1"));
        Slot slot = new Slot(0, 2, load, WarmUpBounds.fixed(5), 0.1, 1, true);

        warmUp.begin(slot, List.of(SELF), List.of(SELF), () -> Double.NaN, List.of());
        assertThat(warmUp.isOver()).as("not before the least").isEmpty();
        Awaitility.await()
                .atMost(Duration.ofSeconds(5))
                .until(() -> warmUp.isOver()
                        .filter(words -> words.endsWith("NOT WARM, time is up"))
                        .isPresent());

        assertThat(warmUp.doubts(cell, Optional.of(load)))
                .containsExactly("its time for the first warm-up was up before the system was warm");
        assertThat(warmUp.doubts(cell, Optional.empty())).hasSize(1);
    }
}
