package dev.chatterbox.resilience;

import dev.chatterbox.comparison.counts.Prometheus;
import dev.chatterbox.processes.Io;
import dev.chatterbox.processes.Jvm;
import dev.chatterbox.processes.LocalHttp;
import dev.chatterbox.processes.Proc;
import dev.chatterbox.stack.Repository;
import dev.chatterbox.stack.Target;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What processes hold while no request is being answered.
 *
 * @param processes the processes, by name
 * @param callsInFlight the aggregator's calls in flight, over all variants; negative if unknown
 */
record Footprint(Map<String, OfProcess> processes, long callsInFlight) {

    /** The value if the machine has no jcmd or no /proc, or if the process has ended or does not answer. */
    private static final long UNKNOWN = -1;

    /**
     * @param liveBytes of the heap after a full collection; negative if unknown
     * @param threads negative if unknown
     * @param files number of open files and connections; negative if unknown
     */
    record OfProcess(long liveBytes, long threads, long files) {

        double megabytes() {
            return liveBytes / 1e6;
        }
    }

    /**
     * Makes a variant open all the connections that it may have. Otherwise their number would depend on the time since
     * the case before, and connections that the next case opens again would count as left behind by that case.
     */
    static void fill(StackUnderTest stack, Target.VariantTarget variant) throws IOException {
        LocalHttp.get(stack.port(), "/%s/square/unary/1000".formatted(variant.name()));
    }

    /** Examines the aggregator and the responder of a variant, with a full collection in each. */
    static Footprint of(StackUnderTest stack, Target.VariantTarget variant) {
        Map<String, OfProcess> processes = new TreeMap<>();
        Stream.of(Optional.of(Repository.AGGREGATOR), VariantProcess.RESPONDER.of(variant))
                .flatMap(Optional::stream)
                .map(stack.faults()::member)
                .forEach(member -> processes.put(
                        member.name(),
                        new OfProcess(
                                liveBytes(member.pid()), entries(member.pid(), "task"), entries(member.pid(), "fd"))));
        return new Footprint(processes, callsInFlight(stack.port()));
    }

    private static long callsInFlight(int port) {
        String path = "/actuator/prometheus?includedNames=chatterbox_calls_in_flight";
        return Io.ifPossible(() -> Prometheus.samples(LocalHttp.get(port, path).body()).stream()
                        .filter(sample -> sample.name().equals("chatterbox_calls_in_flight"))
                        .mapToLong(sample -> Math.round(sample.value()))
                        .sum())
                .orElse(UNKNOWN);
    }

    /** Adds what the processes held before a case and after it. */
    static void addTo(Figures figures, Footprint before, Footprint after) {
        Map<String, ToDoubleFunction<OfProcess>> held = new LinkedHashMap<>();
        held.put("heap, MB", OfProcess::megabytes);
        held.put("threads", OfProcess::threads);
        held.put("files", OfProcess::files);
        held.forEach((name, figure) -> figures.text(
                name,
                before.processes.entrySet().stream()
                        .map(process -> "%.0f → %.0f"
                                .formatted(
                                        figure.applyAsDouble(process.getValue()),
                                        figure.applyAsDouble(
                                                after.processes.getOrDefault(process.getKey(), process.getValue()))))
                        .collect(Collectors.joining(", "))));
    }

    /** The bytes in the last line of a histogram of reachable objects: {@code Total  412345  23456789}. */
    private static long liveBytes(long pid) {
        String histogram = Io.ifPossible(() -> Jvm.ask(pid, "GC.class_histogram"))
                .orElse("")
                .strip();
        String[] total = histogram.substring(histogram.lastIndexOf('\n') + 1).split("\\s+");
        return total[0].equals("Total") ? Long.parseLong(total[2]) : UNKNOWN;
    }

    private static long entries(long pid, String folder) {
        List<String> names = Proc.entries(pid, folder);
        return names.isEmpty() ? UNKNOWN : names.size();
    }
}
