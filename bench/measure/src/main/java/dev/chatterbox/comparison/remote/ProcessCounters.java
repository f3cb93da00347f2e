package dev.chatterbox.comparison.remote;

import dev.chatterbox.comparison.counts.ServiceCounts;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * How Prometheus is asked about a process, which may have replicas.
 *
 * @param cpu the selector of its CPU time, with one or more series for each replica
 * @param nanos the unit of its CPU time in nanoseconds
 * @param members the selector of the number of processes that process-exporter counts
 * @param memory the resident bytes of all replicas
 */
record ProcessCounters(String cpu, double nanos, String members, String memory) {

    /** The label of process-exporter's groups. */
    static final String GROUP = "groupname";

    /** The counters of calls and squares, as if they were those of a process. */
    static ProcessCounters ofCalls(PrometheusServer prometheus) {
        String counted = prometheus.selector("", Map.of("__name__", ServiceCounts.CALLS + "|" + ServiceCounts.SQUARES));
        return new ProcessCounters(counted, 1, counted, counted);
    }

    /**
     * The expression of all series. Prometheus may read a replica in several ways, and then it is counted once.
     *
     * @param sample the expression of a sample of a selector, which stands as {@code %s}
     */
    String series(String sample) {
        return "max by (instance, pod, mode) (%s) or max by (instance, %s) (%s)"
                .formatted(sample.formatted(cpu), GROUP, sample.formatted(members));
    }

    /**
     * Takes the first counter of CPU time that is there; empty if none is.
     *
     * @throws IllegalArgumentException processes of several systems have this name
     */
    static Optional<ProcessCounters> find(PrometheusServer prometheus, String process) {
        Map<String, String> own = Map.of("process", process);
        Map<String, String> group = Map.of(GROUP, process + "(-broker)?", "memtype", "(resident)?");
        // A container has the name of its process; its pod has a longer one.
        Map<String, String> container = Map.of("container", process, "pod", ".+");
        Map<String, Double> clocks = new LinkedHashMap<>();
        clocks.put(prometheus.selector("process_cpu_time_ns_total", own), 1.0);
        clocks.put(prometheus.selector("process_cpu_seconds_total", own), 1e9);
        clocks.put(prometheus.selector("namedprocess_namegroup_cpu_seconds_total", group), 1e9);
        clocks.put(prometheus.selector("container_cpu_usage_seconds_total", container), 1e9);
        String members = prometheus.selector("namedprocess_namegroup_num_procs", group);
        String memory = "sum(%s) or sum(%s) or sum(%s)"
                .formatted(
                        prometheus.selector("namedprocess_namegroup_memory_bytes", group),
                        prometheus.selector("container_memory_working_set_bytes", container),
                        prometheus.selector("process_resident_memory_bytes", own));
        for (Map.Entry<String, Double> clock : clocks.entrySet()) {
            var systems = prometheus.values("group by (cluster, namespace) (%s)".formatted(clock.getKey()));
            if (systems.size() > 1) {
                throw new IllegalArgumentException(
                        "%s has %s in several systems: %s. Name one, such as --match namespace=NAME"
                                .formatted(prometheus.name(), process, systems.keySet()));
            }
            if (!systems.isEmpty()) {
                return Optional.of(new ProcessCounters(clock.getKey(), clock.getValue(), members, memory));
            }
        }
        return Optional.empty();
    }
}
