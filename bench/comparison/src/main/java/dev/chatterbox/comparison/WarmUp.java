package dev.chatterbox.comparison;

import dev.chatterbox.comparison.counts.ServiceCounts;
import dev.chatterbox.processes.LocalHttp;
import dev.chatterbox.processes.clocks.JitTime;
import dev.chatterbox.workloads.Load;
import dev.chatterbox.workloads.Slice;
import dev.chatterbox.workloads.Workload;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Puts a heavy load on every row, in two turns, until {@link WarmUpTrend} says that the system is warm, which takes one
 * row several times as long as another, or the row's time is up; then its cells are shown and not ranked. Throughput
 * would not tell: for half a minute it rises by less from second to second than it varies. Two stacks that are compared
 * with each other are warmed up as they are measured: each row of one at the same time as that row of the other.
 */
final class WarmUp {

    /** The time between two readings. */
    private static final double WINDOW_SECONDS = 2;

    /** What the second turn needs to see a trend of its own. */
    private static final double TURN_SECONDS = 7 * WINDOW_SECONDS;

    private static final double LIKELY_SECONDS = 20;

    /** Calls a request, before the first load. */
    private static final int[] FIRST_CALLS = {1, 10, 100};

    /** With each number of calls, over each row. */
    private static final Duration FIRST_CALLS_TIME = Duration.ofMillis(500);

    private final Run run;
    private final Preset preset;
    private final Map<String, Double> spent = new HashMap<>();
    private final Map<String, Boolean> warm = new HashMap<>();

    WarmUp(Run run, Preset preset) {
        this.run = run;
        this.preset = preset;
    }

    /** How long it takes, about. */
    static double seconds(Preset preset, int rows, int sides) {
        return preset.warmUpLoad().isEmpty()
                ? 0
                : rows
                        * (sides * FIRST_CALLS.length * FIRST_CALLS_TIME.toMillis() / 1e3
                                + Math.min(preset.warmUpSeconds(), LIKELY_SECONDS + TURN_SECONDS));
    }

    /**
     * @param subjects one of each row and side, whatever its workload
     * @param begin called before the first request that is counted
     */
    void run(List<Subject> subjects, Runnable begin) {
        if (preset.warmUpLoad().isEmpty()) {
            begin.run();
            return;
        }
        Workload load = preset.warmUpLoad().get();
        subjects.forEach(this::firstCalls);
        begin.run();
        Map<String, List<Subject>> rows = subjects.stream()
                .map(subject -> subject.under(load))
                .collect(Collectors.groupingBy(Subject::row, LinkedHashMap::new, Collectors.toList()));
        for (int turn = 1; turn <= 2; turn++) {
            for (Map.Entry<String, List<Subject>> row : rows.entrySet()) {
                if (run.interrupted()) {
                    return;
                }
                turn(row.getKey(), row.getValue(), turn);
            }
        }
    }

    /**
     * Makes requests of more and more calls, one after the other, before the first load. A load that finds cold JVMs
     * has all of its first calls wait for the same connections and the same code, some of them past their deadlines.
     * Nobody counts them.
     */
    private void firstCalls(Subject row) {
        run.progress("the first calls over " + row.rowKey(), FIRST_CALLS.length * FIRST_CALLS_TIME.toMillis() / 1e3);
        for (int calls : FIRST_CALLS) {
            long deadline = System.nanoTime() + FIRST_CALLS_TIME.toNanos();
            while (!run.interrupted() && System.nanoTime() < deadline) {
                try {
                    LocalHttp.get(
                            row.target().aggregator().port(),
                            Workload.unary(calls, new Load.Users(1)).path(row.row()));
                } catch (IOException e) {
                    // The load that follows will find out why.
                    Run.pause(0.05);
                }
            }
        }
    }

    /** @param sides of one stack there is one */
    private void turn(String row, List<Subject> sides, int turn) {
        double left = preset.warmUpSeconds() - spent.getOrDefault(row, 0.0);
        // What rows share is compiled while the first of them is at its turn; by the last, all have had a part in it.
        double atMost = turn == 1 ? preset.warmUpSeconds() / 2 : left;
        if (atMost <= 0) {
            return;
        }
        run.progress("warming up " + row, turn == 1 ? Math.min(atMost, LIKELY_SECONDS) : TURN_SECONDS);
        List<Slice> slices = sides.stream()
                .map(side -> run.slice(Slice.WARM_UP + turn, side, 0, atMost))
                .toList();
        Set<Long> system =
                sides.stream().flatMap(side -> side.pids().values().stream()).collect(Collectors.toSet());
        Set<Long> all = new HashSet<>(system);
        all.add(run.generator().pid());
        WarmUpTrend trend = new WarmUpTrend();
        long begin = System.nanoTime();
        run.begin(sides, slices);
        Map<Long, JitTime> last = JitTime.of(all);
        double lastCalls = calls(sides);
        boolean first = true;
        while (!run.interrupted() && seconds(begin) + WINDOW_SECONDS <= atMost && !trend.isWarm()) {
            Run.pause(WINDOW_SECONDS);
            Map<Long, JitTime> now = JitTime.of(all);
            double calls = calls(sides);
            // The first window of a turn holds the change from one row to the next.
            if (!first) {
                double micros = JitTime.used(last, now, system) / 1e3;
                trend.add(
                        calls > lastCalls ? micros / (calls - lastCalls) : Double.NaN,
                        JitTime.isKnown(now) ? JitTime.share(last, now) : Double.NaN);
            }
            first = false;
            last = now;
            lastCalls = calls;
        }
        slices.forEach(run.generator()::stop);
        run.results(sides, slices, 0);
        warm.put(row, trend.isWarm());
        spent.merge(row, seconds(begin), Double::sum);
        run.line("  warm-up %d  %s  %s, %s%s"
                .formatted(
                        turn,
                        row,
                        FigureText.time(seconds(begin)),
                        trend,
                        trend.isWarm() ? ": warm" : turn == 1 ? ": goes on later" : ": NOT WARM, time is up"));
    }

    /** Of the aggregators alone: a scrape is not free. NaN where one does not answer. */
    private static double calls(List<Subject> sides) {
        double calls = 0;
        try {
            for (Subject side : sides) {
                calls += ServiceCounts.callsOf(side.target(), side.row());
            }
        } catch (IOException e) {
            return Double.NaN;
        }
        return calls;
    }

    private static double seconds(long begin) {
        return (System.nanoTime() - begin) / 1e9;
    }

    /** Why a row's figures may be those of code that is not compiled yet; empty if they are not. */
    Optional<String> doubt(Subject row) {
        if (preset.warmUpLoad().isEmpty()) {
            return Optional.of("nothing was warmed up");
        }
        return warm.getOrDefault(row.row(), false)
                ? Optional.empty()
                : Optional.of("its time for the warm-up was up before the system was warm");
    }
}
