package dev.chatterbox.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NoiseTests {

    /** The claim of Noise's Javadoc. */
    @ParameterizedTest
    @ValueSource(doubles = {0.02, 0.05, 0.1, 0.2})
    void seldomReportsADifferenceWhereThereIsNone(double scatter) {
        assertThat(falseAlarms(3, scatter)).isLessThan(0.03);
        assertThat(falseAlarms(4, scatter)).isLessThan(0.01);
        assertThat(falseAlarms(5, scatter)).isLessThan(0.01);
        assertThat(falseAlarms(9, scatter)).isLessThan(0.01);
    }

    @Test
    void wouldOftenReportOneWithTwoRounds() {
        assertThat(falseAlarms(2, 0.1)).isGreaterThan(0.1);
    }

    @ParameterizedTest
    @CsvSource({"3, 1.5, 0.99", "5, 1.2, 0.9"})
    void findsADifferenceThatIsThere(int rounds, double ratio, double share) {
        Random random = new Random(1);
        long found = IntStream.range(0, 10_000)
                .filter(i -> !Noise.tooClose(rounds(random, rounds, 1, 0.03), rounds(random, rounds, ratio, 0.03)))
                .count();
        assertThat(found / 10_000.0).isGreaterThan(share);
    }

    @Test
    void takesOverlappingRoundsForTooClose() {
        assertThat(Noise.tooClose(figure(10, 11, 12), figure(11.5, 12.5, 13))).isTrue();
        assertThat(Noise.tooClose(figure(10, 11, 12), figure(20, 21, 22))).isFalse();
    }

    @Test
    void takesWhatIsBelowTheFloorForTooCloseHoweverSteady() {
        assertThat(Noise.tooClose(figure(100, 100, 100), figure(104, 104, 104))).isTrue();
        assertThat(Noise.tooClose(figure(100, 100, 100), figure(106, 106, 106))).isFalse();
    }

    @Test
    void judgesThreeRoundsAndMore() {
        assertThat(Noise.judged(figure(1, 2, 3), figure(1, 2))).isFalse();
        assertThat(Noise.judged(figure(1, 2, 3), figure(1, 2, 3))).isTrue();
    }

    private static double falseAlarms(int rounds, double scatter) {
        Random random = new Random(42);
        int trials = 20_000;
        return IntStream.range(0, trials)
                        .filter(i ->
                                !Noise.tooClose(rounds(random, rounds, 1, scatter), rounds(random, rounds, 1, scatter)))
                        .count()
                / (double) trials;
    }

    private static Figure rounds(Random random, int count, double mean, double scatter) {
        return figure(IntStream.range(0, count)
                .mapToDouble(i -> mean * (1 + scatter * random.nextGaussian()))
                .toArray());
    }

    private static Figure figure(double... rounds) {
        return Figure.of(rounds);
    }
}
