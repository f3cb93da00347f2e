package dev.chatterbox.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NoiseTests {

    private static final int TRIALS = 20_000;

    /** The claim of Noise's Javadoc, without the floor. */
    @ParameterizedTest
    @ValueSource(ints = {5, 6, 7, 9})
    void seldomReportsADifferenceWhereThereIsNone(int rounds) {
        Random random = new Random(42);
        long alarms = IntStream.range(0, TRIALS)
                .filter(i -> Noise.chance(rounds(random, rounds, 1, 0.1), rounds(random, rounds, 1, 0.1)) < Noise.LEVEL)
                .count();

        assertThat(alarms / (double) TRIALS).isLessThan(0.011);
    }

    /** The medians of two runs of one commit lie up to a few percent apart, however steady the rounds of each are. */
    @ParameterizedTest
    @CsvSource({"0.02, 0.02", "0.04, 0.02", "0.08, 0.02"})
    void callsEqualCommitsDifferentInOneOfFiftyAtMost(double scatter, double betweenRuns) {
        assertThat(found(6, 1, scatter, betweenRuns)).isLessThan(0.02);
    }

    @ParameterizedTest
    @CsvSource({"0.02, 0.02", "0.04, 0.01"})
    void findsFifteenPercentInNineOfTen(double scatter, double betweenRuns) {
        assertThat(found(6, 1.15, scatter, betweenRuns)).isGreaterThan(0.9);
    }

    /**
     * What aggregator, responder and broker cost over REST, NATS and Kafka, as parts of 1, scattering from round to
     * round as they did on a shared machine beside what slowed all of them, and by 2 % from start to start. A rank test
     * of each part may be wrong once in a hundred; the floor makes it seldom.
     */
    @ParameterizedTest
    @CsvSource({"0.56, 0.44, 0, 0.03", "0.42, 0.14, 0.44, 0.05", "0.41, 0.24, 0.35, 0.06"})
    void findsTheProcessThatMakesACallFifteenPercentDearerOrCheaper(
            double aggregator, double responder, double broker, double scatter) {
        double[] costs = {aggregator, responder, broker};
        double[] dearer = {aggregator, responder + 0.15, broker};
        double[] saving = {aggregator - 0.15, responder, broker};

        assertThat(shifted(costs, costs, scatter)).isLessThan(0.02);
        assertThat(shifted(costs, dearer, scatter)).isGreaterThan(0.9);
        assertThat(shifted(costs, saving, scatter))
                .as("the others grow by comparison, Kafka's two by little each")
                .isGreaterThan(0.7);
    }

    private static double shifted(double[] costsBefore, double[] costsAfter, double scatter) {
        Random random = new Random(1);
        int trials = TRIALS / 10;
        long found = IntStream.range(0, trials)
                .filter(i -> {
                    double[][] before = parts(random, costsBefore, scatter);
                    double[][] after = parts(random, costsAfter, scatter);
                    return new PartShift(IntStream.range(0, costsBefore.length)
                                    .boxed()
                                    .flatMap(part ->
                                            PartShift.Part.of("part " + part, figure(before[part]), figure(after[part]))
                                                    .stream())
                                    .toList())
                            .grown()
                            .isPresent();
                })
                .count();
        return found / (double) trials;
    }

    /** Of one run of six rounds: by part, what each round shows. */
    private static double[][] parts(Random random, double[] costs, double scatter) {
        double[] ofRun = IntStream.range(0, costs.length)
                .mapToDouble(part -> costs[part] * (1 + 0.02 * random.nextGaussian()))
                .toArray();
        double[][] parts = new double[costs.length][6];
        for (int round = 0; round < 6; round++) {
            double[] ofRound = IntStream.range(0, costs.length)
                    .mapToDouble(part -> ofRun[part] * (1 + scatter * random.nextGaussian()))
                    .toArray();
            for (int part = 0; part < costs.length; part++) {
                parts[part][round] = ofRound[part] / Arrays.stream(ofRound).sum();
            }
        }
        return parts;
    }

    @Test
    void takesOverlappingRoundsForTooClose() {
        assertThat(Noise.tooClose(figure(10, 11, 12, 13, 14), figure(11.5, 12.5, 13, 14, 15)))
                .isTrue();
        assertThat(Noise.tooClose(figure(10, 11, 12, 13, 14), figure(20, 21, 22, 23, 24)))
                .isFalse();
    }

    @Test
    void takesWhatIsBelowTheFloorForTooCloseHoweverSteady() {
        assertThat(Noise.tooClose(steady(100), steady(104))).isTrue();
        assertThat(Noise.tooClose(steady(100), steady(106))).isFalse();
    }

    @Test
    void judgesFiveRoundsAndMore() {
        assertThat(Noise.judged(steady(1), figure(1, 2, 3, 4))).isFalse();
        assertThat(Noise.judged(steady(1), steady(2))).isTrue();
        assertThat(RankSum.p(new double[] {1, 2, 3, 4}, new double[] {5, 6, 7, 8}))
                .as("four could never show a difference")
                .isGreaterThan(Noise.LEVEL);
    }

    /** Values of published tables: two-sided, Mann and Whitney 1947. */
    @Test
    void countsOutTheRanks() {
        assertThat(RankSum.p(new double[] {1, 2, 3}, new double[] {4, 5, 6})).isCloseTo(0.1, within(1e-12));
        assertThat(RankSum.p(new double[] {1, 2, 3, 4, 5}, new double[] {6, 7, 8, 9, 10}))
                .isCloseTo(2 / 252.0, within(1e-12));
        assertThat(RankSum.p(new double[] {1, 2, 4}, new double[] {3, 5, 6, 7})).isCloseTo(4 / 35.0, within(1e-12));
        assertThat(RankSum.p(new double[] {5, 5, 5}, new double[] {5, 5, 5})).isEqualTo(1);
        assertThat(RankSum.p(new double[0], new double[] {5})).isEqualTo(1);
    }

    @Test
    void isNearlyNormalWithManyRounds() {
        double[] a = IntStream.range(0, 60).mapToDouble(i -> i).toArray();
        double[] b = IntStream.range(0, 60).mapToDouble(i -> i + 12.5).toArray();
        double[] half = IntStream.range(0, 40).mapToDouble(i -> i).toArray();
        double[] other = IntStream.range(0, 60).mapToDouble(i -> i - 1.5).toArray();

        // z = 10.5 × 60 … counted by hand: U = 1128, mean 1800, deviation 190.5.
        assertThat(RankSum.p(a, b)).isCloseTo(4.2e-4, within(2e-4));
        assertThat(RankSum.p(half, other)).as("counted out, a hundred values").isBetween(0.001, 1.0);
    }

    private static double found(int rounds, double ratio, double scatter, double betweenRuns) {
        Random random = new Random(1);
        long found = IntStream.range(0, TRIALS)
                .filter(i -> Noise.differ(
                        rounds(random, rounds, 1 + betweenRuns * random.nextGaussian(), scatter),
                        rounds(random, rounds, ratio * (1 + betweenRuns * random.nextGaussian()), scatter),
                        Metric.CPU.floorBetweenRuns()))
                .count();
        return found / (double) TRIALS;
    }

    private static Figure steady(double value) {
        return figure(value, value, value, value, value);
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
