package dev.chatterbox.comparison.remote;

import dev.chatterbox.comparison.counts.ServiceCounts;
import dev.chatterbox.comparison.target.Target;
import dev.chatterbox.rows.Row;
import dev.chatterbox.rows.Rows;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/**
 * A running system that this program did not start, and never changes.
 *
 * @param transports the aggregator's answer to {@code GET /transports}
 * @param info its answer to {@code GET /actuator/info}
 * @param target its rows and processes, without process ids and ports
 * @param clocks by process; without those whose CPU time nobody tells
 */
public record Deployment(
        Remote aggregator,
        CounterSource counters,
        JsonNode transports,
        JsonNode info,
        Target target,
        Map<String, Clock> clocks,
        double ahead) {

    /** The name of the aggregator's process; {@code GET /transports} names the others. */
    public static final String AGGREGATOR = "aggregator-service";

    private static final String CALLS = "chatterbox_inputs_total";
    private static final String MESSAGES = "chatterbox_calls_seconds_count";
    private static final String UNMATCHED = "chatterbox_replies_unmatched_total";
    private static final String SQUARES = "chatterbox_squares_total";

    /** Samples older than this belong to processes that are gone. */
    private static final double RECENT_SECONDS = 120;

    /**
     * Asks the aggregator for its rows, and looks for the clocks of their processes.
     *
     * @param names the rows to compare; empty for all rows that are up
     * @param prometheus knows the processes' CPU time; without it, only the aggregator tells its own
     * @param rows the rows of this checkout
     * @param version of this program; empty if it is not known
     * @throws DeploymentException this is no Chatterbox of this version with these rows, or Prometheus knows none of it
     */
    public static Deployment find(
            Remote aggregator, Optional<PrometheusServer> prometheus, List<String> names, Rows rows, String version) {
        JsonNode info;
        JsonNode transports;
        try {
            transports = aggregator.json("/transports");
            info = aggregator.json("/actuator/info");
        } catch (IOException e) {
            throw new DeploymentException("%s. A target is the address of an aggregator, such as http://localhost:8080."
                    .formatted(e.getMessage()));
        }
        if (!transports.isArray() || transports.path(0).path("exchanges").isMissingNode()) {
            throw new DeploymentException(
                    "%s is no Chatterbox: /transports there has no rows.".formatted(aggregator.address()));
        }
        String theirs = info.at("/build/version").asString("");
        if (!version.isEmpty() && !theirs.equals(version)) {
            throw new DeploymentException(
                    "%s runs Chatterbox %s, and this is %s: messages and metrics may differ. Use a checkout of its version."
                            .formatted(
                                    aggregator.address(),
                                    theirs.isEmpty() ? "of an unknown version" : theirs,
                                    version));
        }
        try {
            return of(
                    aggregator,
                    counters(aggregator, prometheus),
                    transports,
                    info,
                    chosen(transports, names, rows, aggregator));
        } catch (IOException e) {
            throw new DeploymentException(e.getMessage() + ".");
        }
    }

    private static CounterSource counters(Remote aggregator, Optional<PrometheusServer> prometheus) throws IOException {
        return prometheus.isPresent() ? prometheus.get() : new OwnScrapes(aggregator);
    }

    private static List<Row> chosen(JsonNode transports, List<String> names, Rows rows, Remote aggregator) {
        Map<String, String> states = new LinkedHashMap<>();
        transports
                .values()
                .forEach(row -> states.put(
                        row.path("name").asString(""), row.path("state").asString("")));
        List<String> wanted = names.isEmpty()
                ? states.keySet().stream()
                        .filter(name -> states.get(name).equals("up"))
                        .toList()
                : names;
        List<Row> found = new ArrayList<>();
        for (String name : wanted) {
            if (!states.getOrDefault(name, "").equals("up")) {
                throw new DeploymentException("The row %s is %s at %s; up are: %s."
                        .formatted(
                                name,
                                states.getOrDefault(name, "not there").toLowerCase(java.util.Locale.ROOT),
                                aggregator.address(),
                                states.keySet().stream()
                                        .filter(other -> states.get(other).equals("up"))
                                        .collect(Collectors.joining(", "))));
            }
            found.add(rows.find(name)
                    .orElseThrow(() -> new DeploymentException("%s has the row %s, which this checkout does not have."
                            .formatted(aggregator.address(), name))));
        }
        return found;
    }

    private static Deployment of(
            Remote aggregator, CounterSource counters, JsonNode transports, JsonNode info, List<Row> rows)
            throws IOException {
        double ahead = counters instanceof PrometheusServer server ? server.ahead() : 0;
        double now = System.currentTimeMillis() / 1e3 + ahead;
        Map<String, Clock> clocks = new TreeMap<>();
        Set<String> wanted = new LinkedHashSet<>();
        wanted.add(AGGREGATOR);
        Clock.find(counters, AGGREGATOR, false, now).ifPresent(clock -> clocks.put(AGGREGATOR, clock));
        List<Target.RowTarget> targets = new ArrayList<>();
        for (Row row : rows) {
            Optional<Target.Process> responder = row.responder().map(known -> process(known.name()));
            Optional<Target.Process> broker = row.broker().map(known -> process(known.name()));
            for (boolean isBroker : new boolean[] {false, true}) {
                Optional<Target.Process> process = isBroker ? broker : responder;
                if (process.isPresent() && wanted.add(process.get().name())) {
                    String name = process.get().name();
                    Clock.find(counters, name, isBroker, now).ifPresent(clock -> clocks.put(name, clock));
                }
            }
            targets.add(new Target.RowTarget(row, responder, Optional.empty(), broker, List.of(), Optional.empty()));
        }
        if (clocks.isEmpty() && counters instanceof PrometheusServer) {
            throw new DeploymentException(
                    "%s knows none of these processes: %s. It needs their /actuator/prometheus, process-exporter or cAdvisor."
                            .formatted(counters.name(), String.join(", ", wanted)));
        }
        Target target = new Target(
                process(AGGREGATOR),
                targets,
                wanted.stream().map(Deployment::process).toList(),
                Optional.empty());
        return new Deployment(aggregator, counters, transports, info, target, clocks, ahead);
    }

    private static Target.Process process(String name) {
        return new Target.Process(name, 0, 0);
    }

    /** Sentences about what nobody tells, so that it is missing in the results. */
    public List<String> missing() {
        List<String> without = target.processes().stream()
                .map(Target.Process::name)
                .filter(name -> !clocks.containsKey(name))
                .toList();
        return without.isEmpty()
                ? List.of()
                : List.of(
                        "%s does not tell the CPU time of %s, so rows with it have no cost, but throughput and latency."
                                .formatted(counters.name(), String.join(", ", without)));
    }

    /** Now, in seconds since 1970, by the clock of the counters' samples. */
    public double now() {
        return System.currentTimeMillis() / 1e3 + ahead;
    }

    /** The samples of a row's calls in an interval, whatever became of them. */
    public List<Series> calls(String row, double from, double to) throws IOException {
        return counters.samples(CALLS, Map.of("transport", row), from, to);
    }

    /** The samples of a process's CPU time; empty if nobody tells it. */
    public List<Series> cpu(String process, double from, double to) throws IOException {
        Clock clock = clocks.get(process);
        return clock == null ? List.of() : counters.samples(clock.counter(), clock.labels(), from, to);
    }

    /** The resident bytes of a process, summed over its replicas; 0 if nobody tells them. */
    public long memory(String process, double from, double to) throws IOException {
        Clock clock = clocks.get(process);
        if (clock == null || clock.memory().isEmpty()) {
            return 0;
        }
        return (long) counters.samples(clock.memory(), clock.labels(), from, to).stream()
                .filter(series ->
                        series.labels().getOrDefault("memtype", "resident").equals("resident"))
                .mapToDouble(Deployment::last)
                .sum();
    }

    /** Whether responders' counts can be had. */
    private boolean knowsSquares() {
        return counters instanceof PrometheusServer;
    }

    /** What the services had counted at a moment; a counter that was not sampled for two minutes is gone. */
    public ServiceCounts counts(double at) throws IOException {
        Map<String, Map<String, Double>> outcomes = new HashMap<>();
        for (Series series : counters.samples(CALLS, Map.of(), at - RECENT_SECONDS, at)) {
            outcomes.computeIfAbsent(series.labels().getOrDefault("transport", ""), row -> new TreeMap<>())
                    .merge(series.labels().getOrDefault("outcome", ""), last(series), Double::sum);
        }
        Map<String, Double> squares = new HashMap<>();
        if (knowsSquares()) {
            counters.samples(SQUARES, Map.of(), at - RECENT_SECONDS, at)
                    .forEach(series ->
                            squares.merge(series.labels().getOrDefault("responder", ""), last(series), Double::sum));
        }
        return new ServiceCounts(outcomes, byRow(MESSAGES, at), byRow(UNMATCHED, at), squares, Map.of());
    }

    private Map<String, Double> byRow(String counter, double at) throws IOException {
        return counters.samples(counter, Map.of(), at - RECENT_SECONDS, at).stream()
                .collect(Collectors.toMap(
                        series -> series.labels().getOrDefault("transport", ""),
                        Deployment::last,
                        Double::sum,
                        HashMap::new));
    }

    private static double last(Series series) {
        return series.points().get(series.points().size() - 1).value();
    }
}
