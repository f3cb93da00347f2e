package dev.chatterbox.comparison;

import dev.chatterbox.processes.clocks.CpuSnapshot;
import dev.chatterbox.results.Figures;
import dev.chatterbox.results.Role;
import dev.chatterbox.results.Round;
import dev.chatterbox.workloads.Workload;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The figures of one measured window, from what the generator tells, what the services had counted at both of its
 * edges, and the processes' clocks there.
 *
 * @param roles the pid of each process that serves the cell, by role
 */
record WindowFigures(Workload workload, GeneratorFigures generator, Edge begin, Edge end, Map<String, Long> roles) {

    /**
     * @param aggregator null if the services could not be asked, or need not be
     * @param responder null if it could not be asked, or there is none
     */
    record Edge(
            CpuSnapshot snapshot,
            @Nullable AggregatorReading aggregator,
            @Nullable ResponderReading responder) {

        static Edge of(CpuSnapshot snapshot, @Nullable Reading reading) {
            return reading == null
                    ? new Edge(snapshot, null, null)
                    : new Edge(snapshot, reading.aggregator(), reading.responder());
        }

        private @Nullable Reading reading() {
            return aggregator == null ? null : new Reading(aggregator, responder);
        }
    }

    /** What the services counted in the window; null if they could not be asked. */
    @Nullable
    Reading counted() {
        Reading first = begin.reading();
        Reading last = end.reading();
        return first == null || last == null ? null : last.since(first);
    }

    /** The part of all processors, 0 to 1, that went to other programs. */
    @Nullable
    Double otherLoad() {
        return Statistics.rounded(end.snapshot.otherLoad(begin.snapshot));
    }

    Round.Window window() {
        Reading counted = counted();
        return new Round.Window(
                generator.seconds(),
                generator.requests(),
                generator.failed(),
                generator.failures(),
                Math.round(right(counted)),
                counted == null ? Map.of() : counted.aggregator().whole(),
                counted == null ? 0 : Math.round(counted.aggregator().unmatched()),
                generator.warmUp(),
                workload.isOpen() ? Statistics.rounded(generator.rate()) : null,
                Statistics.rounded(generator.busiestThread()),
                otherLoad());
    }

    /** Of the requests that ended in the window. */
    LatencyBuckets requestLatency() {
        return generator.requestLatency();
    }

    /** Of the calls that ended in the window; none where the aggregator does not tell. */
    LatencyBuckets callLatency() {
        Reading counted = counted();
        LatencyBuckets latency = counted == null ? null : counted.aggregator().latency();
        return latency == null ? LatencyBuckets.NONE : latency;
    }

    /** @param memory by role */
    Figures figures(Map<String, Figures.MemoryUse> memory) {
        Reading counted = counted();
        double right = right(counted);
        Double callsPerSecond = counted == null || counted.aggregator().uptime() <= 0
                ? null
                : Double.valueOf(right / counted.aggregator().uptime());
        Map<String, @Nullable Double> cpu = new LinkedHashMap<>();
        roles.forEach((role, pid) -> cpu.put(role, microsPerCall(pid, callsPerSecond, begin.snapshot, end.snapshot)));
        Map<String, @Nullable Double> allocated = new LinkedHashMap<>();
        allocated.put(
                Role.AGGREGATOR,
                perCall(counted == null ? null : counted.aggregator().allocated(), right));
        if (roles.containsKey(Role.RESPONDER)) {
            ResponderReading responder = counted == null ? null : counted.responder();
            allocated.put(Role.RESPONDER, perCall(responder == null ? null : responder.allocated(), right));
        }
        return new Figures(
                callsPerSecond == null ? null : Statistics.rounded(callsPerSecond / workload.calls()),
                Statistics.rounded(callsPerSecond),
                requestLatency().latency(1),
                callLatency().latency(1),
                cpu,
                Statistics.rounded(Figures.system(cpu)),
                allocated,
                memory);
    }

    /**
     * CPU time of a process between two snapshots, in microseconds for each call; null where one of the two is not
     * known.
     */
    static @Nullable Double microsPerCall(
            long pid, @Nullable Double callsPerSecond, CpuSnapshot begin, CpuSnapshot end) {
        Double use = end.use(pid, begin);
        return use == null || callsPerSecond == null ? null : Statistics.rounded(use * 1e6 / callsPerSecond);
    }

    private static double right(@Nullable Reading counted) {
        return counted == null ? 0 : counted.aggregator().callsOf(AggregatorReading.OK);
    }

    private static @Nullable Double perCall(@Nullable Double bytes, double calls) {
        // Less than nothing: a collection had emptied Eden and was not counted yet.
        return bytes == null || bytes < 0 || calls <= 0 ? null : Statistics.rounded(bytes / calls);
    }
}
