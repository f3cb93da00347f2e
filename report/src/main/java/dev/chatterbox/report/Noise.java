package dev.chatterbox.report;

/**
 * When a difference between two medians is more than chance.
 *
 * <p>It is, if their ratio is further from 1 than the two relative spreads, (max − min) ÷ median over the rounds,
 * added, or two thirds of that from {@value #MANY_ROUNDS} rounds on; and further than a floor. This is a range test
 * (Lord, "The use of range in place of standard deviation in the t-test", Biometrika 34, 1947), which suits a few
 * rounds better than a standard deviation does: where nothing differs and the rounds scatter normally, it reports a
 * difference in 2 to 3 of 100 comparisons of three rounds and in less than 1 of four, five or more ({@code NoiseTests}
 * simulates it). Ranges of three that merely do not overlap would do so in 10 of 100; with two rounds no rule of this
 * kind is worth having, so fewer than {@value #LEAST_ROUNDS} are never judged.
 *
 * <p>The floor is for what rounds cannot show. Within a run it is the tolerance of the warm-up: a row counts as stable
 * while it still moves by 5 %. Between two runs every JVM is a new one, and the compiler's decisions differ by start
 * (Georges, Buytaert, Eeckhout, "Statistically rigorous Java performance evaluation", OOPSLA 2007): 10 %, and 25 % for
 * the 99th percentile, which a few requests decide.
 */
final class Noise {

    static final int LEAST_ROUNDS = 3;

    static final int MANY_ROUNDS = 5;

    /** Ratio minus 1, of two cells of one run. */
    static final double WITHIN_RUN = 0.05;

    private Noise() {}

    /** The rule in one line. */
    static String rule() {
        return "A difference counts if it is larger than the two spreads (max − min over the rounds, relative to the median)"
                + " added, from %d rounds on two thirds of that, and larger than %s (p99: %s)."
                        .formatted(
                                MANY_ROUNDS,
                                Numbers.percent(Metric.CPU.floorBetweenRuns()),
                                Numbers.percent(Metric.REQUEST_P99.floorBetweenRuns()));
    }

    /** The smallest ratio minus 1 that counts. */
    static double of(Figure a, Figure b, double floor) {
        double share = fewerRounds(a, b) >= MANY_ROUNDS ? 2 / 3.0 : 1;
        return Math.max(floor, share * (a.spread() + b.spread()));
    }

    static boolean judged(Figure a, Figure b) {
        return fewerRounds(a, b) >= LEAST_ROUNDS;
    }

    private static int fewerRounds(Figure a, Figure b) {
        return Math.min(a.rounds().length, b.rounds().length);
    }

    /** The larger by the smaller median, minus 1. */
    static double distance(Figure a, Figure b) {
        return Math.max(a.median() / b.median(), b.median() / a.median()) - 1;
    }

    /** Whether two figures of one run are too close to rank. */
    static boolean tooClose(Figure a, Figure b) {
        return distance(a, b) <= of(a, b, WITHIN_RUN);
    }
}
