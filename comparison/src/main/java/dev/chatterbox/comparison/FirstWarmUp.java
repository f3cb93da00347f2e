package dev.chatterbox.comparison;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Ends the first warm-up of a cell of the closed model: when the JITs of the processes that serve it have calmed down, which
 * takes one transport several times as long as another, or when the transport's time is up. Throughput would not tell: for
 * half a minute it rises by less from second to second than it varies. Where the system does not tell what a JIT uses, each
 * cell gets twice the least.
 */
final class FirstWarmUp {

    /** How often it is looked at. */
    static final double WINDOW_SECONDS = 2;

    /** The JITs' part of the processes' CPU time, below which they are calm. */
    private static final double CALM = 0.2;

    /** Of each cell at least, and then of all cells of a transport at most. */
    private final WarmUp bounds;

    /** The JITs' last share of each transport whose time was up before they were calm. */
    private final Map<String, Double> restless = new HashMap<>();

    /** Seconds that each transport has had. */
    private final Map<String, Double> had = new HashMap<>();

    private String transport = "";
    private Collection<Long> pids = List.of();
    private double atMost;
    private long begin;
    private Map<Long, JitTime> last = Map.of();

    FirstWarmUp(WarmUp bounds) {
        this.bounds = bounds;
    }

    /** For the estimate: one transport in two takes all the time there is, the other the least. */
    static double likelySeconds(WarmUp bounds, int cells) {
        double least = cells * bounds.minSeconds();
        return (least + Math.max(least, bounds.maxSeconds())) / 2;
    }

    /**
     * A cell's warm-up has begun.
     *
     * @param later how many more cells the transport has, each of which is left the least
     */
    void begin(String transport, Collection<Long> pids, int later) {
        this.transport = transport;
        this.pids = pids;
        begin = System.nanoTime();
        last = JitTime.of(pids);
        atMost = JitTime.isKnown(last)
                ? bounds.maxSeconds() - had.getOrDefault(transport, 0.0) - later * bounds.minSeconds()
                : 2 * bounds.minSeconds();
    }

    /** The JITs' share of the CPU time at the end of the transport's first warm-up, where they were not calm then. */
    Optional<Double> restless(String transport) {
        return Optional.ofNullable(restless.get(transport));
    }

    /** Whether the cell's warm-up may end; to be asked every {@link #WINDOW_SECONDS}. */
    boolean isOver() {
        double seconds = (System.nanoTime() - begin) / 1e9;
        Map<Long, JitTime> now = JitTime.of(pids);
        double share = JitTime.share(last, now);
        boolean calm = JitTime.isKnown(now) && share < CALM;
        last = now;
        if (seconds < bounds.minSeconds() || !calm && seconds < atMost) {
            return false;
        }
        if (calm) {
            restless.remove(transport);
        } else if (JitTime.isKnown(now)) {
            restless.put(transport, share);
        }
        had.merge(transport, seconds, Double::sum);
        return true;
    }
}
