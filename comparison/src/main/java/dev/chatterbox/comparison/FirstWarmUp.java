package dev.chatterbox.comparison;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Ends the first warm-up of a cell of the closed model: when the JITs of the processes that serve it have little left to do,
 * which takes one row several times as long as another, or when the row's time is up. Throughput would not tell: for half a
 * minute it rises by less from second to second than it varies. Where the system does not tell what a JIT uses, each cell gets
 * twice the least.
 */
final class FirstWarmUp {

    /** The time between two readings of what the JITs use. */
    static final double WINDOW_SECONDS = 2;

    /** The JITs' part of the processes' CPU time below which the row is warm. */
    private static final double WARM = 0.2;

    /** Of each cell at least, and of all cells of a row together at most. */
    private final WarmUpBounds bounds;

    /** Rows whose time was up before they were warm. */
    private final Set<String> cutOff = new HashSet<>();

    /** Seconds of first warm-up so far, by row. */
    private final Map<String, Double> spent = new HashMap<>();

    private String row = "";
    private Collection<Long> pids = List.of();
    private double atMost;
    private long begin;
    private Map<Long, JitTime> last = Map.of();

    FirstWarmUp(WarmUpBounds bounds) {
        this.bounds = bounds;
    }

    /** For the estimate: one row in two takes all the time there is, the other the least. */
    static double likelySeconds(WarmUpBounds bounds, int cells) {
        double least = cells * bounds.minSeconds();
        return (least + Math.max(least, bounds.maxSeconds())) / 2;
    }

    /**
     * A cell's warm-up has begun.
     *
     * @param pids of the processes that serve it
     * @param later how many more cells the row has; for each of them the least is kept back
     */
    void begin(String row, Collection<Long> pids, int later) {
        this.row = row;
        this.pids = pids;
        begin = System.nanoTime();
        last = JitTime.of(pids);
        atMost = JitTime.isKnown(last)
                ? bounds.maxSeconds() - spent.getOrDefault(row, 0.0) - later * bounds.minSeconds()
                : 2 * bounds.minSeconds();
    }

    /** Whether the JITs were still at work when the row's time was up. */
    boolean wasCutOff(String row) {
        return cutOff.contains(row);
    }

    /** Whether the cell's warm-up may end; to be asked every {@link #WINDOW_SECONDS}. */
    boolean isOver() {
        double seconds = (System.nanoTime() - begin) / 1e9;
        Map<Long, JitTime> now = JitTime.of(pids);
        boolean known = JitTime.isKnown(now);
        boolean warm = known && JitTime.share(last, now) < WARM;
        last = now;
        if (seconds < bounds.minSeconds() || !warm && seconds < atMost) {
            return false;
        }
        if (warm) {
            cutOff.remove(row);
        } else if (known) {
            cutOff.add(row);
        }
        spent.merge(row, seconds, Double::sum);
        return true;
    }
}
