package dev.chatterbox.comparison.remote;

import dev.chatterbox.comparison.counts.ServiceCounts;
import dev.chatterbox.comparison.testbed.Target;
import dev.chatterbox.rows.Row;
import dev.chatterbox.rows.Rows;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
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
 * @param ahead how many seconds the clock of the counters' samples is ahead of this machine's
 */
public record Deployment(
        Remote aggregator,
        CounterSource counters,
        JsonNode transports,
        JsonNode info,
        Target target,
        Map<String, Clock> clocks,
        double ahead)
        implements AutoCloseable {

    /** The name of the aggregator's process; {@code GET /transports} names the others. */
    public static final String AGGREGATOR = "aggregator-service";

    private static final String CALLS = "chatterbox_inputs_total";
    private static final String MESSAGES = "chatterbox_calls_seconds_count";
    private static final String UNMATCHED = "chatterbox_replies_unmatched_total";
    private static final String SQUARES = "chatterbox_squares_total";
    private static final String FAULTS = "chatterbox_faults";

    /** A running process was sampled in this time. */
    private static final double RECENT_SECONDS = 300;

    /** The first sample of a replica lies so many intervals after a plateau's begin at the latest; then it was there. */
    private static final double LATEST_FIRST = 0.5;

    /** The last one lies so many intervals before the end at the earliest: the next is due, or just on its way. */
    private static final double EARLIEST_LAST = 1.6;

    /** A process that uses less than this part of a processor is idle. */
    private static final double USED = 0.01;

    /**
     * Asks the aggregator for its rows, and looks for the clocks of their processes.
     *
     * @param prometheus knows the processes' CPU time; without it, only the aggregator tells its own
     * @param names the rows to compare; empty for all rows that are up
     * @param onlyIfUp whether named rows are left out if they are not up
     * @param rows the rows of this checkout
     * @param version of this program; empty if it is not known
     * @throws DeploymentException this is no Chatterbox of this version with these rows, or Prometheus knows none of it
     */
    public static Deployment find(
            Remote aggregator,
            Optional<PrometheusServer> prometheus,
            List<String> names,
            boolean onlyIfUp,
            Rows rows,
            String version) {
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
        List<Row> chosen = chosen(transports, names, onlyIfUp, rows, aggregator);
        CounterSource counters = null;
        try {
            counters = prometheus.isPresent() ? prometheus.get() : new OwnScrapes(aggregator);
            return of(aggregator, counters, transports, info, chosen);
        } catch (IOException | DeploymentException e) {
            if (counters != null) {
                counters.close();
            }
            throw e instanceof DeploymentException known ? known : new DeploymentException(e.getMessage() + ".");
        }
    }

    private static List<Row> chosen(
            JsonNode transports, List<String> names, boolean onlyIfUp, Rows rows, Remote aggregator) {
        Map<String, String> states = new LinkedHashMap<>();
        transports
                .values()
                .forEach(row -> states.put(
                        row.path("name").asString(""), row.path("state").asString("")));
        List<String> up = states.keySet().stream()
                .filter(name -> "up".equals(states.get(name)))
                .toList();
        if (up.isEmpty()) {
            throw new DeploymentException("No row is up at %s: %s.".formatted(aggregator.address(), states));
        }
        List<Row> found = new ArrayList<>();
        for (String name : names.isEmpty() ? up : names) {
            if (!up.contains(name) && onlyIfUp) {
                continue;
            }
            if (!up.contains(name)) {
                throw new DeploymentException("The row %s is %s at %s; up are: %s."
                        .formatted(
                                name,
                                states.getOrDefault(name, "not there").toLowerCase(Locale.ROOT),
                                aggregator.address(),
                                String.join(", ", up)));
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
        double ahead = counters.ahead();
        double now = System.currentTimeMillis() / 1e3 + ahead;
        if (counters.samples(CALLS, Map.of(), now - RECENT_SECONDS, now).isEmpty()) {
            throw new DeploymentException(
                    "%s has no %s: it does not read an aggregator's /actuator/prometheus, or --match excludes it."
                            .formatted(counters.name(), CALLS));
        }
        Map<String, Boolean> brokers = new LinkedHashMap<>();
        brokers.put(AGGREGATOR, false);
        List<Target.RowTarget> targets = new ArrayList<>();
        for (Row row : rows) {
            JsonNode there = transports.values().stream()
                    .filter(known -> known.path("name").asString("").equals(row.name()))
                    .findFirst()
                    .orElseThrow();
            Optional<Target.Service> responder =
                    process(there.path("responder")).map(Target.Service::of);
            Optional<Target.Process> broker = process(there.path("broker"));
            responder.ifPresent(process -> brokers.putIfAbsent(process.name(), false));
            broker.ifPresent(process -> brokers.putIfAbsent(process.name(), true));
            targets.add(new Target.RowTarget(
                    row,
                    responder,
                    Optional.empty(),
                    broker.stream().toList(),
                    Optional.empty(),
                    List.of(),
                    Optional.empty(),
                    Optional.empty()));
        }
        Map<String, Clock> clocks = new TreeMap<>();
        for (Map.Entry<String, Boolean> process : brokers.entrySet()) {
            Clock.find(counters, process.getKey(), process.getValue(), now - RECENT_SECONDS, now)
                    .ifPresent(clock -> clocks.put(process.getKey(), clock));
        }
        if (clocks.isEmpty()) {
            throw new DeploymentException(
                    "%s knows the CPU time of none of these processes: %s. It needs their /actuator/prometheus, process-exporter or cAdvisor."
                            .formatted(counters.name(), String.join(", ", brokers.keySet())));
        }
        Target target = new Target(
                Target.Service.of(process(AGGREGATOR)),
                targets,
                brokers.keySet().stream().map(Deployment::process).toList(),
                Optional.empty());
        return new Deployment(aggregator, counters, transports, info, target, clocks, ahead);
    }

    private static Optional<Target.Process> process(JsonNode name) {
        return name.asStringOpt().filter(text -> !text.isEmpty()).map(Deployment::process);
    }

    private static Target.Process process(String name) {
        return new Target.Process(name, 0, 0);
    }

    /** Sentences about what nobody tells, so that it is missing in the results. */
    public List<String> missing() {
        List<String> without = target.processes().stream()
                .map(Target.Process::name)
                .filter(name -> !knowsCpuOf(name))
                .toList();
        return without.isEmpty()
                ? List.of()
                : List.of(
                        "%s does not tell the CPU time of %s, so rows with it have no cost, but throughput and latency."
                                .formatted(counters.name(), String.join(", ", without)));
    }

    public boolean knowsCpuOf(String process) {
        return clocks.containsKey(process);
    }

    /** Now, in seconds since 1970, by the clock of the counters' samples. */
    public double now() {
        return System.currentTimeMillis() / 1e3 + ahead;
    }

    /** The longest sampling interval of the counters that are used, as they were sampled in the last minutes. */
    public double interval() throws IOException {
        double now = now();
        double longest = 0;
        for (String counter : List.of(CALLS, MESSAGES, SQUARES)) {
            for (Series series : counters.samples(counter, Map.of(), now - RECENT_SECONDS, now)) {
                longest = Math.max(longest, series.interval());
            }
        }
        for (Clock clock : clocks.values()) {
            for (Series series : clock.read(counters, now - RECENT_SECONDS, now)) {
                longest = Math.max(longest, series.interval());
                // A counter of an idle process seldom changes, however often it is read.
                double seconds = series.last().seconds() - series.first().seconds();
                double used =
                        clock.unit() * (series.last().value() - series.first().value());
                if (used > USED * seconds) {
                    longest = Math.max(longest, series.refresh());
                }
            }
        }
        return longest;
    }

    /**
     * What a call over a row costs in a process: the growth of each replica's CPU time between two of its samples,
     * divided by the calls between the same two moments.
     *
     * @param from seconds since 1970, as {@code to}, by the clock of the samples
     * @param interval the sampling interval
     * @param reasons gets sentences that say why the figure is wrong
     * @return CPU nanoseconds; NaN if it is not known
     */
    public double nanosPerCall(
            String process, String row, double from, double to, double interval, List<String> reasons)
            throws IOException {
        List<Series> calls = whole(
                counters.samples(CALLS, Map.of("transport", row), from - 2 * interval, to),
                from,
                to,
                interval,
                "the row's calls",
                reasons);
        Clock clock = clocks.get(process);
        if (clock == null || calls.isEmpty()) {
            return Double.NaN;
        }
        if (!clock.isConstant(counters, from - 2 * interval, to)) {
            reasons.add("a process of %s began or ended in the plateau".formatted(process));
        }
        double sum = 0;
        for (Series replica :
                whole(clock.read(counters, from - 2 * interval, to), from, to, interval, process, reasons)) {
            Optional<Series> span = replica.since(from).points().isEmpty()
                    ? Optional.empty()
                    : replica.since(from).span();
            if (span.isEmpty()) {
                reasons.add("%s was sampled less than twice in the plateau".formatted(process));
                return Double.NaN;
            }
            Series.Point begin = span.get().first();
            Series.Point end = span.get().last();
            double made = calls.stream()
                    .mapToDouble(series -> series.at(end.seconds()) - series.at(begin.seconds()))
                    .sum();
            sum += 1e9 * clock.unit() * (end.value() - begin.value()) / made;
        }
        return sum;
    }

    /** The same series; says why if a replica began or ended. */
    private static List<Series> whole(
            List<Series> replicas, double from, double to, double interval, String of, List<String> reasons) {
        if (replicas.isEmpty()) {
            reasons.add("%s was not sampled in the plateau".formatted(of));
        }
        if (replicas.stream()
                .anyMatch(replica -> replica.isReset()
                        || replica.first().seconds() > from + LATEST_FIRST * interval
                        || replica.last().seconds() < to - EARLIEST_LAST * interval)) {
            reasons.add("a replica of %s began or ended in the plateau".formatted(of));
        }
        return replicas;
    }

    /** The resident bytes of a process, summed over its replicas; 0 if nobody tells them. */
    public long memory(String process, double from, double to) throws IOException {
        boolean broker = target.rows().stream()
                .anyMatch(
                        row -> row.brokers().stream().anyMatch(one -> one.name().equals(process)));
        return Clock.memory(counters, process, broker, from, to);
    }

    /** What the services have counted until now. A process that was not sampled in three intervals is gone. */
    public Totals totals(double interval) throws IOException {
        double now = now();
        Map<String, List<Series>> all = new HashMap<>();
        for (String counter : List.of(CALLS, MESSAGES, UNMATCHED, SQUARES, FAULTS)) {
            all.put(counter, counters.samples(counter, Map.of(), now - 3 * interval - 1, now));
        }
        return new Totals(all);
    }

    /** Counters at one moment, by their names. */
    public record Totals(Map<String, List<Series>> counters) {

        /** What processes that are still there have counted since an earlier moment. */
        public ServiceCounts since(Totals earlier) {
            Map<String, Map<String, Double>> outcomes = new HashMap<>();
            grown(CALLS, earlier)
                    .forEach((labels, growth) -> outcomes.computeIfAbsent(
                                    labels.getOrDefault("transport", ""), row -> new TreeMap<>())
                            .merge(labels.getOrDefault("outcome", ""), growth, Double::sum));
            Map<String, String> faults = new TreeMap<>();
            for (Series series : counters.getOrDefault(FAULTS, List.of())) {
                if (series.last().value() != 0) {
                    faults.merge(
                            series.labels().getOrDefault("process", ""),
                            "%s %s"
                                    .formatted(
                                            series.labels().get("fault"),
                                            series.last().value()),
                            (one, other) -> one.equals(other) ? one : one + ", " + other);
                }
            }
            return new ServiceCounts(
                    outcomes,
                    by("transport", MESSAGES, earlier),
                    by("transport", UNMATCHED, earlier),
                    by("responder", SQUARES, earlier),
                    Map.of(),
                    faults);
        }

        private Map<String, Double> by(String label, String counter, Totals earlier) {
            return grown(counter, earlier).entrySet().stream()
                    .collect(Collectors.toMap(
                            series -> series.getKey().getOrDefault(label, ""),
                            Map.Entry::getValue,
                            Double::sum,
                            HashMap::new));
        }

        private Map<Map<String, String>, Double> grown(String counter, Totals earlier) {
            Map<Map<String, String>, Double> before = new HashMap<>();
            earlier.counters
                    .getOrDefault(counter, List.of())
                    .forEach(series -> before.put(series.labels(), series.last().value()));
            return counters.getOrDefault(counter, List.of()).stream()
                    .collect(Collectors.toMap(
                            Series::labels,
                            series -> series.last().value() - before.getOrDefault(series.labels(), 0.0),
                            Double::sum));
        }
    }

    @Override
    public void close() {
        counters.close();
    }
}
