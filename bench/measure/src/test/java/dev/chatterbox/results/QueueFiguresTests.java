package dev.chatterbox.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.chatterbox.workloads.MessageFile;
import dev.chatterbox.workloads.MessageFile.Field;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class QueueFiguresTests {

    @TempDir
    Path folder;

    private MessageFile produced;
    private MessageFile consumed;

    /** One message is acknowledged and consumed twice, and one of each other kind. */
    @BeforeEach
    void fiveMessages() throws IOException {
        produced = new MessageFile(folder.resolve("produced"));
        consumed = new MessageFile(folder.resolve("consumed"));
        produced.set(Field.COUNT, 5);
        produced.set(Field.FIRST, 1_000_000);
        produced.set(Field.LAST, 1_500_000);
        produced.set(Field.MADE, 20_000);
        int[] states = {0, 250, -7, MessageFile.REFUSED, MessageFile.UNKNOWN, 90};
        for (int number = 1; number < states.length; number++) {
            produced.state(number, states[number]);
        }
        consumed.state(1, 40);
        consumed.state(4, 60);
        consumed.set(Field.COUNT, 3);
        consumed.set(Field.DOUBLED, 1);
        consumed.set(Field.OUT_OF_ORDER, 1);
        consumed.set(Field.SUM, 1 + 16);
        consumed.set(Field.LAST, 2_000_000);
    }

    private QueueFigures counted() {
        return QueueFigures.of(5, produced, List.of(consumed));
    }

    @Test
    void aMessageWithoutAnAnswerIsUnknownAndNotLost() {
        QueueFigures counts = counted();

        assertThat(counts.end()).isEqualTo(QueueFigures.NO_PROGRESS);
        assertThat(counts.acknowledged()).isEqualTo(2);
        assertThat(counts.refused()).isEqualTo(1);
        assertThat(counts.unknown()).isEqualTo(2);
        assertThat(counts.received()).isEqualTo(3);
        assertThat(counts.consumed()).isEqualTo(2);
        assertThat(counts.missing()).isEqualTo(2);
        assertThat(counts.lost()).isEqualTo(1);
        assertThat(counts.doubled()).isEqualTo(1);
        assertThat(counts.outOfOrder()).isEqualTo(1);
        assertThat(counts.makeSeconds()).isEqualTo(0.02);
        assertThat(counts.publishedPerSecond()).isEqualTo(10);
        assertThat(counts.consumedPerSecond()).isEqualTo(2);
        assertThat(counts.consumeSeconds()).isEqualTo(1);
        assertThat(counts.acknowledge().max()).isEqualTo(0.00025);
        assertThat(counts.oneWay().p50()).isEqualTo(0.00004);
    }

    @Test
    void aSumThatIsNotThatOfTheConsumedNumbersIsWrong() {
        consumed.add(Field.SUM, 1);

        assertThat(counted().end()).isEqualTo(QueueFigures.WRONG_SUM);
    }

    @Test
    void aProgramThatWasKilledInTheMiddleOfAMessageGoesOnWithTheRightCounts() {
        consumed.state(2, 50);

        consumed.recount();

        assertThat(counted().received()).isEqualTo(4);
        assertThat(counted().consumed()).isEqualTo(3);
        assertThat(counted().end()).isEqualTo(QueueFigures.NO_PROGRESS);
    }

    static QueueFigures slice(String end, long missing, long lost, double p50) {
        return new QueueFigures(
                1,
                Map.of(end, 1L),
                1000,
                900,
                0,
                100,
                1005 - missing,
                1000 - missing,
                missing,
                lost,
                5,
                3L,
                0.05,
                10_000,
                (1000 - missing) / 0.2,
                new Latency(p50, null, 2 * p50, 3 * p50, null, 4 * p50, null),
                Latency.NONE);
    }

    @Test
    void addsUpCountsAndTakesTheMedianOfTheSlicesPercentiles() {
        List<QueueFigures> slices = List.of(
                slice("complete", 0, 0, 0.001), slice("no-progress", 20, 7, 0.009), slice("complete", 0, 0, 0.002));
        QueueFigures figures = QueueFigures.sum(slices, slices);

        assertThat(figures.runs()).isEqualTo(3);
        assertThat(figures.ended()).isEqualTo(Map.of("complete", 2L, "no-progress", 1L));
        assertThat(figures.published()).isEqualTo(3000);
        assertThat(figures.unknown()).isEqualTo(300);
        assertThat(figures.consumed()).isEqualTo(2980);
        assertThat(figures.outOfOrder()).isEqualTo(9);
        assertThat(figures.makeSeconds()).isCloseTo(0.05, within(1e-12));
        assertThat(figures.doubled()).isEqualTo(15);
        assertThat(figures.publishedPerSecond()).isCloseTo(10_000, within(1e-6));
        assertThat(figures.consumedPerSecond()).isCloseTo(2980 / 0.6, within(1e-6));
        assertThat(figures.acknowledge()).isEqualTo(new Latency(0.002, null, 0.004, 0.006, null, 0.036, null));
        assertThat(figures.oneWay()).isEqualTo(Latency.NONE);
        assertThat(figures.doubts())
                .containsExactly(
                        "of 3,000 published messages, 20 were not consumed, 7 of them acknowledged; the broker refused 0",
                        "1 of 3 runs did not come to their end");
    }

    @Test
    void hasNoDoubtWhereEveryMessageWasConsumed() {
        assertThat(QueueFigures.sum(List.of(slice("complete", 0, 0, 0.001)), List.of())
                        .doubts())
                .isEmpty();
    }

    @Test
    void hasRatesAndLatenciesOfTimedSlicesOnly() {
        QueueFigures timed = slice("complete", 0, 0, 0.001);
        QueueFigures figures = QueueFigures.sum(List.of(timed, slice("complete", 20, 0, 0.009)), List.of(timed));

        assertThat(figures.published()).isEqualTo(2000);
        assertThat(figures.missing()).isEqualTo(20);
        assertThat(figures.publishedPerSecond()).isCloseTo(timed.publishedPerSecond(), within(1e-6));
        assertThat(figures.consumedPerSecond()).isCloseTo(timed.consumedPerSecond(), within(1e-6));
        assertThat(figures.acknowledge()).isEqualTo(timed.acknowledge());
    }
}
