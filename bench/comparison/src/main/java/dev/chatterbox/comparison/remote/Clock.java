package dev.chatterbox.comparison.remote;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The counter of a process's CPU time, a series for each replica.
 *
 * @param unit the counter's unit in seconds
 */
record Clock(String counter, Map<String, String> labels, double unit) {

    private static final String GROUP = "groupname";
    private static final String POD = "pod";
    private static final String COMPOSE = "container_label_com_docker_compose_service";

    /** Prometheus may ask several exporters for the same container; these labels tell containers apart. */
    private static final List<String> CONTAINER =
            List.of("namespace", POD, "container", "cpu", COMPOSE, "name", "mode", "memtype");

    /** The clocks that a process may have, the best first. */
    private static List<Clock> candidates(String process, boolean broker) {
        List<Clock> clocks = new ArrayList<>();
        if (!broker) {
            clocks.add(new Clock("process_cpu_time_ns_total", Map.of("process", process), 1e-9));
            clocks.add(new Clock("process_cpu_seconds_total", Map.of("process", process), 1));
        }
        clocks.add(new Clock("namedprocess_namegroup_cpu_seconds_total", group(process, broker), 1));
        clocks.add(new Clock("container_cpu_usage_seconds_total", container(process), 1));
        clocks.add(new Clock("container_cpu_usage_seconds_total", Map.of(COMPOSE, process), 1));
        return clocks;
    }

    private static Map<String, String> group(String process, boolean broker) {
        return Map.of(GROUP, broker ? process + "-broker" : process);
    }

    /** In a pod, the container has the name of the process; its pod has a longer one. */
    private static Map<String, String> container(String process) {
        return Map.of("container", process, POD, ".+");
    }

    /**
     * The best clock of a process that the source has; empty if it has none.
     *
     * @throws DeploymentException processes of several systems have this name
     */
    static Optional<Clock> find(CounterSource source, String process, boolean broker, double from, double to)
            throws IOException {
        for (Clock clock : candidates(process, broker)) {
            List<Series> found = clock.read(source, from, to);
            TreeSet<String> systems = found.stream()
                    .map(series -> Stream.of("cluster", "namespace")
                            .map(label -> series.labels().getOrDefault(label, ""))
                            .collect(Collectors.joining(" ")))
                    .collect(Collectors.toCollection(TreeSet::new));
            if (systems.size() > 1) {
                throw new DeploymentException(
                        "%s has %s in several systems: %s. Name one, such as --match namespace=NAME."
                                .formatted(source.name(), process, String.join(", ", systems)));
            }
            if (!found.isEmpty()) {
                return Optional.of(clock);
            }
        }
        return Optional.empty();
    }

    /** The samples in an interval, each replica once. */
    List<Series> read(CounterSource source, double from, double to) throws IOException {
        return once(source.samples(counter, labels, from, to));
    }

    private static List<Series> once(List<Series> found) {
        Map<Object, Series> different = new LinkedHashMap<>();
        for (Series series : found) {
            boolean container =
                    series.labels().containsKey(POD) || series.labels().containsKey(COMPOSE);
            different.putIfAbsent(
                    container
                            ? CONTAINER.stream()
                                    .map(label -> series.labels().getOrDefault(label, ""))
                                    .toList()
                            : series.labels(),
                    series);
        }
        return List.copyOf(different.values());
    }

    /** The resident bytes of a process, summed over its replicas; 0 if nobody tells them. */
    static long memory(CounterSource source, String process, boolean broker, double from, double to)
            throws IOException {
        for (Clock gauge : List.of(
                new Clock("namedprocess_namegroup_memory_bytes", group(process, broker), 1),
                new Clock("container_memory_working_set_bytes", container(process), 1),
                new Clock("container_memory_working_set_bytes", Map.of(COMPOSE, process), 1),
                new Clock("process_resident_memory_bytes", Map.of("process", process), 1))) {
            double bytes = gauge.read(source, from, to).stream()
                    .filter(series ->
                            series.labels().getOrDefault("memtype", "resident").equals("resident"))
                    .mapToDouble(series -> series.last().value())
                    .sum();
            if (bytes > 0) {
                return (long) bytes;
            }
        }
        return 0;
    }

    /** Whether a group of processes on a machine has had as many members all the time; true if nobody counts them. */
    boolean isConstant(CounterSource source, double from, double to) throws IOException {
        if (!labels.containsKey(GROUP)) {
            return true;
        }
        return source.samples("namedprocess_namegroup_num_procs", labels, from, to).stream()
                .allMatch(series -> series.points().stream()
                        .allMatch(point -> point.value() == series.first().value()));
    }
}
