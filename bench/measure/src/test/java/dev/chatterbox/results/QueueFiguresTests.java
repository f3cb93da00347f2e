package dev.chatterbox.results;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatterbox.workloads.MessageCounts;
import dev.chatterbox.workloads.MessageCounts.Percentiles;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class QueueFiguresTests {

    static MessageCounts answer(String ended, long missing, long lost, double p50) {
        return new MessageCounts(
                ended,
                1000,
                900,
                0,
                100,
                1005 - missing,
                1000 - missing,
                missing,
                lost,
                5,
                3,
                50,
                100,
                200,
                new Percentiles(p50, 2 * p50, 3 * p50, 4 * p50),
                Percentiles.NONE,
                true);
    }

    @Test
    void addsUpCountsAndTakesTheMedianOfTheRunsPercentiles() {
        QueueFigures figures = QueueFigures.of(
                List.of(answer("complete", 0, 0, 1), answer("no-progress", 20, 7, 9), answer("complete", 0, 0, 2)));

        assertThat(figures.runs()).isEqualTo(3);
        assertThat(figures.ended()).isEqualTo(Map.of("complete", 2L, "no-progress", 1L));
        assertThat(figures.published()).isEqualTo(3000);
        assertThat(figures.unknown()).isEqualTo(300);
        assertThat(figures.consumed()).isEqualTo(2980);
        assertThat(figures.outOfOrder()).isEqualTo(9);
        assertThat(figures.makeSeconds()).isEqualTo(0.05);
        assertThat(figures.doubled()).isEqualTo(15);
        assertThat(figures.publishedPerSecond()).isEqualTo(10_000);
        assertThat(figures.consumedPerSecond()).isEqualTo(2980 / 0.6);
        assertThat(figures.acknowledge()).isEqualTo(new Latency(0.002, null, 0.004, 0.006, null, 0.036, null));
        assertThat(figures.oneWay()).isEqualTo(Latency.NONE);
        assertThat(figures.doubts())
                .containsExactly(
                        "of 3,000 published messages, 20 were not consumed, 7 of them acknowledged; the broker refused 0",
                        "1 of 3 runs did not come to their end");
    }

    @Test
    void hasNoDoubtWhereEveryMessageWasConsumed() {
        assertThat(QueueFigures.of(List.of(answer("complete", 0, 0, 1))).doubts())
                .isEmpty();
    }
}
