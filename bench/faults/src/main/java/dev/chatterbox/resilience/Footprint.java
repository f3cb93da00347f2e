package dev.chatterbox.resilience;

import dev.chatterbox.comparison.counts.Prometheus;
import dev.chatterbox.processes.Command;
import dev.chatterbox.processes.LocalHttp;
import dev.chatterbox.stack.Member;
import dev.chatterbox.stack.Stack;
import dev.chatterbox.stack.Target;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * What processes hold while no request is being answered.
 *
 * @param processes the processes, by name
 * @param callsInFlight the aggregator's calls in flight, over all rows
 */
record Footprint(Map<String, OfProcess> processes, long callsInFlight) {

    /** The value if the machine has no jcmd or no /proc, or if the process has ended or does not answer. */
    private static final long UNKNOWN = -1;

    /** A process that is frozen would never answer jcmd. */
    private static final Duration JCMD_TIMEOUT = Duration.ofSeconds(20);

    /**
     * @param liveBytes of the heap after a full collection; negative if unknown
     * @param threads negative if unknown
     * @param files number of open files and connections; negative if unknown
     */
    record OfProcess(long liveBytes, long threads, long files) {

        double megabytes() {
            return liveBytes / 1048576.0;
        }
    }

    /**
     * Makes a row open all the connections that it may have. Otherwise their number would depend on the time since the
     * case before, and connections that the next case opens again would count as left behind by that case.
     */
    static void fill(int aggregatorPort, Target.RowTarget row) throws IOException {
        LocalHttp.get(
                aggregatorPort, "/%s/square/unary/1000".formatted(row.row().name()));
    }

    /**
     * Examines processes of a stack, with a full collection in each. Leaves out processes that the stack does not have.
     *
     * @param aggregatorPort the aggregator's port, where the calls in flight are read
     * @param names of the processes, which must be JVMs
     */
    static Footprint of(Stack stack, int aggregatorPort, Set<String> names) throws IOException {
        Map<String, OfProcess> processes = new TreeMap<>();
        for (Member member : stack.members()) {
            if (names.contains(member.name())) {
                long pid = member.pid();
                processes.put(member.name(), new OfProcess(liveBytes(pid), entries(pid, "task"), entries(pid, "fd")));
            }
        }
        Prometheus metrics = Prometheus.parse(
                LocalHttp.get(aggregatorPort, "/actuator/prometheus?includedNames=chatterbox_calls_in_flight")
                        .body());
        return new Footprint(processes, Math.round(metrics.sum("chatterbox_calls_in_flight", sample -> true)));
    }

    /** The bytes in the last line of a histogram of reachable objects: {@code Total  412345  23456789}. */
    private static long liveBytes(long pid) {
        Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
        if (!Files.isExecutable(jcmd)) {
            return UNKNOWN;
        }
        try {
            String last = Command.run(JCMD_TIMEOUT, List.of(jcmd.toString(), Long.toString(pid), "GC.class_histogram"))
                    .lines()
                    .reduce("", (before, line) -> line);
            String[] columns = last.strip().split("\\s+");
            return columns[0].equals("Total") ? Long.parseLong(columns[2]) : UNKNOWN;
        } catch (IOException noAnswer) {
            return UNKNOWN;
        }
    }

    private static long entries(long pid, String folder) {
        try (Stream<Path> entries = Files.list(Path.of("/proc", Long.toString(pid), folder))) {
            return entries.count();
        } catch (IOException noLinux) {
            return UNKNOWN;
        }
    }
}
