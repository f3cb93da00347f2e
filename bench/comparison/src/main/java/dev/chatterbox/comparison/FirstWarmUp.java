package dev.chatterbox.comparison;

import dev.chatterbox.processes.clocks.JitTime;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Ends the slots before the first round: when {@link WarmUpTrend} says that the system is warm, which takes one row
 * several times as long as another, or when the row's time is up; then its cells are shown and not ranked. Throughput
 * would not tell: for half a minute it rises by less from second to second than it varies.
 */
final class FirstWarmUp {

    /** The time between two readings. */
    static final double WINDOW_SECONDS = 2;

    /** What the last turn of the heavy load needs to see a trend of its own. */
    private static final double TURN_SECONDS = 7 * WINDOW_SECONDS;

    private static final double LIKELY_SECONDS = 37;

    /** Of each watched slot at least, and of all of them of a row together at most. */
    private final WarmUpBounds bounds;

    /**
     * By slot: the change from load to none and back makes the JITs begin anew, so each turn must show that it is
     * warm.
     */
    private final Map<String, WarmUpTrend> trends = new HashMap<>();

    /** Seconds of first warm-up so far, by row. */
    private final Map<String, Double> spent = new HashMap<>();

    /** How each slot's warm-up ended last. */
    private final Map<CellPlan, Boolean> warm = new HashMap<>();

    private @Nullable Watched watched;

    /**
     * A slot that is under way.
     *
     * @param all pids of the processes that serve it, the generator too
     * @param system those of them that are ranked
     * @param calls tells how many calls there were so far; NaN if that is not known
     */
    private record Watched(
            Slot slot,
            Collection<Long> all,
            Collection<Long> system,
            DoubleSupplier calls,
            double atMost,
            long begin) {}

    private Map<Long, JitTime> last = Map.of();
    private double lastCalls;
    private boolean first;

    FirstWarmUp(WarmUpBounds bounds) {
        this.bounds = bounds;
    }

    /**
     * For the estimate: the first turn of the heavy load takes some forty seconds on two slow cores, the last
     * confirms it.
     */
    static double likelyTurnSeconds(WarmUpBounds bounds, int turn) {
        return turn == 1
                ? Math.max(bounds.minSeconds(), Math.min(LIKELY_SECONDS, bounds.maxSeconds() / 2))
                : TURN_SECONDS;
    }

    /**
     * For the estimate: a cell's own slot.
     *
     * @param known whether its messages are like those of the heavy load; others have code of their own to be compiled
     */
    static double likelyCellSeconds(WarmUpBounds bounds, boolean known) {
        return known ? bounds.minSeconds() + WINDOW_SECONDS : Math.min(TURN_SECONDS, bounds.maxSeconds());
    }

    /** @param later watched slots of the row, for each of which the least is kept back */
    void begin(Slot slot, Collection<Long> all, Collection<Long> system, DoubleSupplier calls, List<Slot> later) {
        double kept = later.stream()
                .mapToDouble(each -> each.turn() > 0 ? TURN_SECONDS : bounds.minSeconds())
                .sum();
        double left = bounds.maxSeconds() - spent.getOrDefault(slot.cell().row(), 0.0) - kept;
        // What rows share is compiled while the first of them is at its turn; by the last, all have had a part in it.
        double atMost = slot.turn() == 1 ? Math.min(left, bounds.maxSeconds() / 2) : left;
        watched = new Watched(slot, all, system, calls, atMost, System.nanoTime());
        last = JitTime.of(all);
        lastCalls = calls.getAsDouble();
        first = true;
    }

    /**
     * Whether the slot's warm-up may end; to be asked every {@link #WINDOW_SECONDS}.
     *
     * @return how it went, in words; empty if it goes on
     */
    Optional<String> isOver() {
        Watched now = watched;
        if (now == null) {
            return Optional.empty();
        }
        CellPlan cell = now.slot().cell();
        WarmUpTrend trend = trends.computeIfAbsent(now.slot().id(), id -> new WarmUpTrend());
        look(now, trend);
        double seconds = (System.nanoTime() - now.begin()) / 1e9;
        boolean isWarm = now.slot().turn() > 0 ? trend.isWarm() : trend.isWarmAfterLoad();
        if (seconds < bounds.minSeconds() || !isWarm && seconds < now.atMost()) {
            return Optional.empty();
        }
        warm.put(cell, isWarm);
        spent.merge(cell.row(), seconds, Double::sum);
        watched = null;
        return Optional.of("%s, %s%s".formatted(FigureText.time(seconds), trend, verdict(now.slot(), isWarm)));
    }

    private String verdict(Slot slot, boolean isWarm) {
        if (isWarm) {
            return ": warm";
        }
        if (bounds.isFixed()) {
            return "";
        }
        return slot.turn() == 1 ? ": not warm yet, its last turn goes on" : ": NOT WARM, time is up";
    }

    private void look(Watched now, WarmUpTrend trend) {
        Map<Long, JitTime> times = JitTime.of(now.all());
        double calls = now.calls().getAsDouble();
        double micros = JitTime.used(last, times, now.system()) / 1e3;
        double jit = JitTime.isKnown(times) ? JitTime.share(last, times) : Double.NaN;
        // The first window of a turn holds the change from one row to the next.
        if (!first || now.slot().turn() == 0) {
            trend.add(calls > lastCalls ? micros / (calls - lastCalls) : Double.NaN, jit);
        }
        first = false;
        last = times;
        lastCalls = calls;
    }

    /**
     * Why a cell's figures may be those of code that is not compiled yet, in words; empty if they are not.
     *
     * @param load the heavy load that came first; empty if there was none
     */
    List<String> doubts(CellPlan cell, Optional<CellPlan> load) {
        if (load.isEmpty()) {
            return List.of("the warm-up has a fixed length, and nothing tells whether it is enough");
        }
        boolean finished = warm.getOrDefault(load.get(), false) && warm.getOrDefault(cell, true);
        return finished ? List.of() : List.of("its time for the first warm-up was up before the system was warm");
    }
}
