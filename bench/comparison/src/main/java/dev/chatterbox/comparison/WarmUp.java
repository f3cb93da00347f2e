package dev.chatterbox.comparison;

import dev.chatterbox.processes.LocalHttp;
import dev.chatterbox.processes.clocks.JitTime;
import dev.chatterbox.workloads.Load;
import dev.chatterbox.workloads.Slice;
import dev.chatterbox.workloads.SliceResult;
import dev.chatterbox.workloads.Workload;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Puts a heavy load on every row, in two turns, until {@link WarmUpTrend} says that the system is warm, which takes one
 * row several times as long as another, or the row's time is up; then its cells are shown and not ranked. Throughput
 * would not tell: for half a minute it rises by less from second to second than it varies.
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
    static double seconds(Preset preset, int rows) {
        return preset.warmUpLoad().isEmpty()
                ? 0
                : rows
                        * (FIRST_CALLS.length * FIRST_CALLS_TIME.toMillis() / 1e3
                                + Math.min(preset.warmUpSeconds(), LIKELY_SECONDS + TURN_SECONDS));
    }

    /**
     * @param rows one subject of each row, whatever its workload
     * @param begin called before the first request that is counted
     */
    void run(List<Subject> rows, Runnable begin) {
        if (preset.warmUpLoad().isEmpty()) {
            begin.run();
            return;
        }
        Workload load = preset.warmUpLoad().get();
        rows.forEach(this::firstCalls);
        begin.run();
        for (int turn = 1; turn <= 2; turn++) {
            for (Subject row : rows) {
                if (run.interrupted()) {
                    return;
                }
                turn(row.under(load), turn);
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

    private void turn(Subject row, int turn) {
        double left = preset.warmUpSeconds() - spent.getOrDefault(row.rowKey(), 0.0);
        // What rows share is compiled while the first of them is at its turn; by the last, all have had a part in it.
        double atMost = turn == 1 ? preset.warmUpSeconds() / 2 : left;
        if (atMost <= 0) {
            return;
        }
        run.progress("warming up " + row.rowKey(), turn == 1 ? Math.min(atMost, LIKELY_SECONDS) : TURN_SECONDS);
        Slice slice = run.slice(Slice.WARM_UP + turn, row, 0, atMost);
        Collection<Long> system = row.pids().values();
        List<Long> all = new ArrayList<>(system);
        all.add(run.generator().pid());
        WarmUpTrend trend = new WarmUpTrend();
        long begin = System.nanoTime();
        run.generator().begin(slice);
        Map<Long, JitTime> last = JitTime.of(all);
        double lastCalls = calls(row);
        boolean first = true;
        while (!run.interrupted() && seconds(begin) + WINDOW_SECONDS <= atMost && !trend.isWarm()) {
            Run.pause(WINDOW_SECONDS);
            Map<Long, JitTime> now = JitTime.of(all);
            double calls = calls(row);
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
        run.generator().stop(slice);
        SliceResult result = run.generator().result(slice, run.patience(0));
        run.counts().add(row, result);
        warm.put(row.rowKey(), trend.isWarm());
        spent.merge(row.rowKey(), seconds(begin), Double::sum);
        run.line("  warm-up %d  %s  %s, %s%s"
                .formatted(
                        turn,
                        row.rowKey(),
                        FigureText.time(seconds(begin)),
                        trend,
                        trend.isWarm() ? ": warm" : turn == 1 ? ": goes on later" : ": NOT WARM, time is up"));
    }

    /** Of the aggregator alone: a scrape is not free. */
    private static double calls(Subject row) {
        try {
            return ServiceCounts.callsOf(row.target(), row.row());
        } catch (IOException e) {
            return Double.NaN;
        }
    }

    private static double seconds(long begin) {
        return (System.nanoTime() - begin) / 1e9;
    }

    /** Why a row's figures may be those of code that is not compiled yet; empty if they are not. */
    Optional<String> doubt(Subject row) {
        if (preset.warmUpLoad().isEmpty()) {
            return Optional.of("nothing was warmed up");
        }
        return warm.getOrDefault(row.rowKey(), false)
                ? Optional.empty()
                : Optional.of("its time for the warm-up was up before the system was warm");
    }
}
