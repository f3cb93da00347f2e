package dev.chatterbox.comparison.remote;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The counter of a process's CPU time, summed over its replicas.
 *
 * @param unit the counter's unit in seconds
 * @param memory the counter's companion that tells resident bytes, with the same labels; empty if there is none
 */
public record Clock(String counter, Map<String, String> labels, double unit, String memory) {

    /** The sampling intervals of a lookout for a process: it must have been seen in this time. */
    private static final double RECENT_SECONDS = 120;

    /** The clocks that a process may have, the best first. */
    private static List<Clock> candidates(String process, boolean broker) {
        String group = broker ? process + "-broker" : process;
        Clock exporter = new Clock(
                "namedprocess_namegroup_cpu_seconds_total",
                Map.of("groupname", group),
                1,
                "namedprocess_namegroup_memory_bytes");
        Clock container = new Clock(
                "container_cpu_usage_seconds_total",
                Map.of("pod", "(.+-)?" + process + "(-.+)?", "container", ".+"),
                1,
                "container_memory_working_set_bytes");
        return broker
                ? List.of(exporter, container)
                : List.of(
                        new Clock("process_cpu_time_ns_total", Map.of("process", process), 1e-9, ""),
                        new Clock("process_cpu_seconds_total", Map.of("process", process), 1, ""),
                        exporter,
                        container);
    }

    /**
     * The best clock of a process that the source has; empty if it has none.
     *
     * @param broker whether the process is a broker
     * @param now seconds since 1970, by the source's clock
     * @throws DeploymentException processes of several systems have this name
     */
    static Optional<Clock> find(CounterSource source, String process, boolean broker, double now) throws IOException {
        for (Clock clock : candidates(process, broker)) {
            List<Series> found = source.samples(clock.counter, clock.labels, now - RECENT_SECONDS, now);
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
}
