package dev.chatterbox.report;

/**
 * When a difference between two medians is more than chance: when the rank-sum test of the rounds finds it so
 * ({@link RankSum}, at a level of {@value #LEVEL}), and the medians differ by more than a floor.
 *
 * <p>Where nothing differs, the test alone calls at most one comparison in a hundred different, however the rounds
 * scatter; fewer than {@value #LEAST_ROUNDS} rounds a side can never reach that level, so they are not judged. The
 * floor is for what rounds cannot show. Within a run it is the tolerance of the warm-up: a row counts as warm while
 * it still moves by 5 %. Between two runs every JVM is a new one, and the compiler's decisions differ by start
 * (Georges, Buytaert, Eeckhout, "Statistically rigorous Java performance evaluation", OOPSLA 2007):
 * {@link Metric#floorBetweenRuns()}. {@code NoiseTests} simulates both.
 */
final class Noise {

    /** Of which a difference of all ranks is one in 126: the first number below the level. */
    static final int LEAST_ROUNDS = 5;

    /** The chance that is taken for none. */
    static final double LEVEL = 0.01;

    /** Ratio minus 1, of two cells of one run. */
    static final double WITHIN_RUN = 0.05;

    private Noise() {}

    /** The rule in one line. */
    static String rule() {
        return "A difference counts if a rank-sum test of the rounds gives it a chance of less than %s, and it is larger than %s (p99: %s), also with the machine's part taken out."
                .formatted(
                        Numbers.percent(LEVEL),
                        Numbers.percent(Metric.CPU.floorBetweenRuns()),
                        Numbers.percent(Metric.REQUEST_P99.floorBetweenRuns()));
    }

    /** The rule for {@link PartShift} in one line. */
    static String shiftRule() {
        return ("Shifted: the sum is within the noise, but one process takes a larger part of it, by the same test; if the"
                        + " others cost what they did, the sum would be more than %s larger.")
                .formatted(Numbers.percent(Metric.CPU.floorBetweenRuns()));
    }

    /** The chance that the rounds lie so far apart if nothing differs, 0 to 1. */
    static double chance(Figure a, Figure b) {
        return RankSum.p(a.rounds(), b.rounds());
    }

    /** @param costs how many times as much the same work cost in the other run */
    static boolean isOtherMachine(double costs) {
        return Math.max(costs, 1 / costs) - 1 > Metric.CPU.floorBetweenRuns();
    }

    static boolean judged(Figure a, Figure b) {
        return Math.min(a.rounds().length, b.rounds().length) >= LEAST_ROUNDS;
    }

    /** The larger by the smaller median, minus 1. */
    static double distance(Figure a, Figure b) {
        return Math.max(a.median() / b.median(), b.median() / a.median()) - 1;
    }

    /** Whether the difference of two figures is more than chance and more than a floor. */
    static boolean differ(Figure a, Figure b, double floor) {
        return distance(a, b) > floor && chance(a, b) < LEVEL;
    }

    /** Whether two figures of one run are too close to rank. */
    static boolean tooClose(Figure a, Figure b) {
        return !differ(a, b, WITHIN_RUN);
    }
}
