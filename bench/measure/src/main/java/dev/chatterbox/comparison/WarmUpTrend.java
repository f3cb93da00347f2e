package dev.chatterbox.comparison;

import dev.chatterbox.results.Numbers;
import java.util.ArrayList;
import java.util.List;

/**
 * Decides from the turns of a load whether the system is warm: the compilers have nearly nothing left to do, and a call
 * costs no less than three turns before. One of the two is not enough: compilers pause while costs still fall, and
 * costs stand still until the next large method is compiled.
 */
final class WarmUpTrend {

    /**
     * The compilers may take this part of the processes' CPU time over {@link #QUIET_TURNS}. With twice as much, the
     * cost of NATS still fell by a third afterwards.
     */
    private static final double JIT_AT_MOST = 0.025;

    private static final int QUIET_TURNS = 3;

    /** A cost that has fallen by more than this is still falling. */
    private static final double FALLING = 0.05;

    /** Five turns of a variant are ten seconds of load, those of a bare client two and a half. */
    private static final int TURNS = 5;

    private final List<Double> costs = new ArrayList<>();
    private final List<Double> jitShares = new ArrayList<>();

    /**
     * Adds a turn of load.
     *
     * @param cost CPU-microseconds of the system per call; NaN if unknown
     * @param jitShare the compilers' part of the CPU time, 0 to 1; NaN if the system does not show it
     */
    void add(double cost, double jitShare) {
        costs.add(cost);
        jitShares.add(jitShare);
    }

    /** Whether the heavy load has made the system warm. */
    boolean isWarm() {
        return costs.size() >= TURNS && isQuiet() && !isFalling();
    }

    private boolean isQuiet() {
        double share = mean(jitShares, jitShares.size() - QUIET_TURNS, jitShares.size());
        return Double.isNaN(share) || share < JIT_AT_MOST;
    }

    /** Compares the last two of five turns with the first two. */
    private boolean isFalling() {
        int size = costs.size();
        double before = mean(costs, size - TURNS, size - TURNS + 2);
        double now = mean(costs, size - 2, size);
        return now < (1 - FALLING) * before;
    }

    /** The mean of the known values; NaN if none is known. */
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
                        .formatted(Numbers.digits(costs.get(last)), 100 * jitShares.get(last));
    }
}
