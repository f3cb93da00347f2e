package dev.chatterbox.resilience;

import dev.chatterbox.comparison.counts.Prometheus;
import dev.chatterbox.comparison.target.Target;
import dev.chatterbox.processes.LocalHttp;
import dev.chatterbox.stack.Member;
import dev.chatterbox.stack.Stack;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * What processes hold while no request is under way.
 *
 * @param processes by name
 * @param callsInFlight of the aggregator, over all rows
 */
record Footprint(Map<String, OfProcess> processes, long callsInFlight) {

    /** Without jcmd, or without /proc. */
    private static final long UNKNOWN = -1;

    /**
     * @param liveBytes of the heap after a full collection; negative where it is not known
     * @param threads negative where it is not known
     * @param files open ones and connections; negative where it is not known
     */
    record OfProcess(long liveBytes, long threads, long files) {

        double megabytes() {
            return liveBytes / 1048576.0;
        }
    }

    /**
     * Has a row open all connections that it may have: how many are left of the case before depends on how long ago that
     * was, and what the next case opens again is nothing that it leaves behind.
     */
    static void fill(int aggregatorPort, Target.RowTarget row) throws IOException {
        LocalHttp.get(
                aggregatorPort, "/%s/square/unary/1000".formatted(row.row().name()));
    }

    /**
     * Examines processes of a stack, by a full collection in each; one that the stack has not is left out.
     *
     * @param aggregatorPort where the calls in flight are read
     * @param names of JVMs that run
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

    /** The last line of a histogram of what is reachable: {@code Total  412345  23456789}. */
    private static long liveBytes(long pid) throws IOException {
        Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
        if (!Files.isExecutable(jcmd)) {
            return UNKNOWN;
        }
        Process process = new ProcessBuilder(jcmd.toString(), Long.toString(pid), "GC.class_histogram")
                .redirectErrorStream(true)
                .start();
        String last =
                new String(process.getInputStream().readAllBytes()).lines().reduce("", (before, line) -> line);
        String[] columns = last.strip().split("\\s+");
        return columns[0].equals("Total") ? Long.parseLong(columns[2]) : UNKNOWN;
    }

    private static long entries(long pid, String folder) {
        try (Stream<Path> entries = Files.list(Path.of("/proc", Long.toString(pid), folder))) {
            return entries.count();
        } catch (IOException noLinux) {
            return UNKNOWN;
        }
    }
}
