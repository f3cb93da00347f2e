package dev.chatterbox.comparison;

import dev.chatterbox.processes.LocalHttp;
import dev.chatterbox.processes.clocks.CpuParts;
import dev.chatterbox.results.Numbers;
import dev.chatterbox.stack.Member;
import dev.chatterbox.transport.CallMode;
import dev.chatterbox.workloads.Load;
import dev.chatterbox.workloads.Slice;
import dev.chatterbox.workloads.Workload;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Puts a heavy load on one variant after the other, in turns. A variant's turns end when {@link WarmUpTrend} says that
 * the system is warm, or when the variant's time is over; one variant needs several times as long as another. After
 * each turn the compilers have the processors to themselves while they have work left. Throughput would not show the
 * warmth: for half a minute it rises less from second to second than it varies. If two stacks are compared, both sides
 * of a variant are warmed up at the same time, as they are measured. {@link Rehearsal} is the next step.
 */
final class WarmUp {

    /** The length of a slice of load. */
    private static final double SLICE_SECONDS = 0.5;

    /** The slices of a variant's turn, after which the compilers have the processors to themselves. */
    private static final int SLICES = 4;

    /** The time between two looks whether the compilers still work. */
    private static final double PAUSE_SECONDS = 0.2;

    /** The longest time that the compilers get after a turn. */
    private static final double REST_SECONDS = 10;

    /** The compilers rest if all together use less than this part of a processor. */
    private static final double RESTING = 0.1;

    /** The time that a variant likely takes. The first variant takes twice as long, later variants take less. */
    private static final double LIKELY_SECONDS = 30;

    /** The numbers of calls per request before the first load. */
    private static final int[] FIRST_CALLS = {1, 10, 100};

    /** The time for each number of calls over each variant. */
    private static final Duration FIRST_CALLS_TIME = Duration.ofMillis(500);

    private final LocalRun run;
    private final Preset preset;

    WarmUp(LocalRun run, Preset preset) {
        this.run = run;
        this.preset = preset;
    }

    /** About how many seconds the warm-up takes. */
    static double seconds(Preset preset, int variants, int sides) {
        return preset.warmUpLoad().isEmpty()
                ? 0
                : variants
                        * (sides * FIRST_CALLS.length * FIRST_CALLS_TIME.toMillis() / 1e3
                                + Math.min(preset.effort().warmUpSeconds(), LIKELY_SECONDS));
    }

    /** @param subjects one of each variant and side, whatever its workload */
    void run(List<Subject> subjects) {
        if (preset.warmUpLoad().isEmpty()) {
            run.counts.begin();
            return;
        }
        List<Workload> loads = preset.warmUpLoads();
        if (loads.stream().anyMatch(load -> load.mode() != CallMode.QUEUE)) {
            subjects.forEach(this::firstCalls);
        }
        run.counts.begin();
        if (run.start == 1 && FirstLook.isPossible(preset, subjects)) {
            run.progress.table(new FirstLook(run, preset).of(FirstLook.variants(subjects), run.progress.secondsLeft()));
        }
        for (Workload load : loads) {
            Map<String, List<Subject>> variants = subjects.stream()
                    .map(subject -> subject.under(load))
                    .filter(subject -> subject.has(load.mode()))
                    .collect(Collectors.groupingBy(Subject::variant, LinkedHashMap::new, Collectors.toList()));
            variants.forEach((variant, sides) -> {
                if (!run.interrupted()) {
                    load(variant, sides, SLICES);
                }
            });
        }
    }

    /**
     * Makes single requests with more and more calls before the first load. On cold JVMs, all first calls of a load
     * wait for the same connections and the same code, some of them past their deadlines. Nobody counts these requests.
     */
    private void firstCalls(Subject variant) {
        run.progress.doing(
                "the first calls over " + variant.variantKey(), FIRST_CALLS.length * FIRST_CALLS_TIME.toMillis() / 1e3);
        for (int calls : FIRST_CALLS) {
            String path = Workload.unary(calls, new Load.Users(1)).path(variant.variant());
            long deadline = System.nanoTime() + FIRST_CALLS_TIME.toNanos();
            while (!run.interrupted() && System.nanoTime() < deadline) {
                try {
                    for (Member aggregator : variant.target().aggregator().processes()) {
                        LocalHttp.get(aggregator.port(), path);
                    }
                } catch (IOException e) {
                    // The load that follows will find out why.
                    Run.pause(0.05);
                }
            }
        }
    }

    /**
     * Puts the load on a variant, or on its bare client, until it is warm or its time is over.
     *
     * @param subjects the variant on each side
     * @param slices of each turn. Code that runs only at the begin and at the end of a load gets compiled, too
     */
    void load(String name, List<Subject> subjects, int slices) {
        double atMost = preset.effort().warmUpSeconds();
        run.progress.doing("warming up " + name, Math.min(LIKELY_SECONDS, atMost));
        Set<Long> system = subjects.stream()
                .flatMap(subject -> run.system(subject).keySet().stream())
                .collect(Collectors.toSet());
        Set<Long> all = new HashSet<>(system);
        all.addAll(run.generator().roles().keySet());
        WarmUpTrend trend = new WarmUpTrend();
        long begin = System.nanoTime();
        while (!run.interrupted() && seconds(begin) + slices * SLICE_SECONDS <= atMost && !trend.isWarm()) {
            CpuParts before = CpuParts.of(all);
            CpuParts systemBefore = CpuParts.of(system);
            double calls = 0;
            for (int i = 0; i < slices; i++) {
                calls += slice(subjects);
            }
            double micros = 1e6 * CpuParts.of(system).since(systemBefore).total();
            CpuParts after = untilCompilersRest(run, all, Math.min(REST_SECONDS, atMost - seconds(begin)));
            trend.add(
                    calls > 0 ? micros / calls : Double.NaN, after.since(before).jitShare());
        }
        run.progress.log("warm-up  %s  %s, %s%s"
                .formatted(name, Numbers.time(seconds(begin)), trend, trend.isWarm() ? ": warm" : ": time is up"));
    }

    /** Has a slice of load carried out, of each side at the same time; returns the calls that were answered right. */
    private double slice(List<Subject> subjects) {
        List<LocalRun.Order> orders = subjects.stream()
                .map(subject -> run.order(Slice.WARM_UP, subject, 0, SLICE_SECONDS))
                .toList();
        return run.carryOut(orders, SLICE_SECONDS).stream()
                .mapToLong(result -> result.calls(subjects.get(0).workload()))
                .sum();
    }

    /** Pauses until the compilers have done the work of the load; beside a load they share the processors. */
    static CpuParts untilCompilersRest(LocalRun run, Set<Long> pids, double seconds) {
        CpuParts now = CpuParts.of(pids);
        long begin = System.nanoTime();
        while (!run.interrupted() && seconds(begin) < seconds) {
            CpuParts last = now;
            Run.pause(PAUSE_SECONDS);
            now = CpuParts.of(pids);
            if (now.since(last).jit() < RESTING * PAUSE_SECONDS) {
                break;
            }
        }
        return now;
    }

    static double seconds(long begin) {
        return (System.nanoTime() - begin) / 1e9;
    }
}
