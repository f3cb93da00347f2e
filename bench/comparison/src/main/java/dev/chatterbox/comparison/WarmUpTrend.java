package dev.chatterbox.comparison;

import java.util.ArrayList;
import java.util.List;

/**
 * Tells from windows of a load whether the system has become warm: the JITs have nearly nothing left to do, and a
 * call costs no less than it did ten seconds ago. Either alone is fooled: compilers pause while costs still fall, and
 * costs stand still before the next large method is compiled.
 */
final class WarmUpTrend {

    /**
     * The JITs' part of the processes' CPU time, over {@link #QUIET_WINDOWS}. Alone, NATS fell below a twentieth
     * after 36 seconds, and its next rounds went on from 14.7 to 9.6 CPU-µs per call for as long again (two slow
     * cores, JDK 25).
     */
    private static final double JIT_AT_MOST = 0.025;

    /** After the heavy load, of what a cell has beside it: little, and soon over. */
    private static final double JIT_AT_MOST_AFTER = 0.05;

    private static final int QUIET_WINDOWS = 3;

    /** A cost that has fallen by more than this is still falling. */
    private static final double FALLING = 0.05;

    /** Ten seconds. */
    private static final int WINDOWS = 5;

    private final List<Double> costs = new ArrayList<>();
    private final List<Double> jitShares = new ArrayList<>();

    /**
     * Adds a window of {@link FirstWarmUp#WINDOW_SECONDS}.
     *
     * @param cost CPU-microseconds of the system per call; NaN if unknown
     * @param jitShare 0 to 1; NaN where the system does not tell
     */
    void add(double cost, double jitShare) {
        costs.add(cost);
        jitShares.add(jitShare);
    }

    /** Whether the heavy load has made it warm. */
    boolean isWarm() {
        return costs.size() >= WINDOWS && isQuiet(JIT_AT_MOST) && !isFalling();
    }

    /** Whether a cell is warm that comes after the heavy load: one window may tell. */
    boolean isWarmAfterLoad() {
        return !costs.isEmpty() && isQuiet(JIT_AT_MOST_AFTER) && !isFalling();
    }

    private boolean isQuiet(double atMost) {
        double share = mean(jitShares, jitShares.size() - QUIET_WINDOWS, jitShares.size());
        return Double.isNaN(share) || share < atMost;
    }

    /** The last two fifths of ten seconds against the first two; with fewer windows nothing can be said. */
    private boolean isFalling() {
        int size = costs.size();
        if (size < WINDOWS) {
            return false;
        }
        double before = mean(costs, size - WINDOWS, size - WINDOWS + 2);
        double now = mean(costs, size - 2, size);
        return now < (1 - FALLING) * before;
    }

    /** Of those that are known; NaN if none is. */
    private static double mean(List<Double> values, int from, int to) {
        return values.subList(Math.max(0, from), to).stream()
                .mapToDouble(Double::doubleValue)
                .filter(Double::isFinite)
                .average()
                .orElse(Double.NaN);
    }

    @Override
    public String toString() {
        int last = costs.size() - 1;
        return last < 0
                ? "nothing"
                : "%s CPU-µs per call, JIT %.1f %%"
                        .formatted(FigureText.digits(costs.get(last)), 100 * jitShares.get(last));
    }
}
