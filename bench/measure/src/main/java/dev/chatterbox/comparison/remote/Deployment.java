package dev.chatterbox.comparison.remote;

import dev.chatterbox.comparison.counts.ServiceCounts;
import dev.chatterbox.rows.Row;
import dev.chatterbox.rows.Rows;
import dev.chatterbox.stack.Member;
import dev.chatterbox.stack.Target;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/**
 * A running system that this program did not start, and never changes. Its counters are read from Prometheus while
 * nothing is under way, and subtracted: nothing is extrapolated. Moments are in seconds since 1970 by the clock with
 * which Prometheus marks its samples.
 *
 * @param transports the aggregator's answer to {@code GET /transports}
 * @param info its answer to {@code GET /actuator/info}
 * @param target its rows and processes, without process ids and ports
 * @param counters by process; without those whose CPU time is not known
 */
public record Deployment(
        Remote aggregator,
        PrometheusServer prometheus,
        JsonNode transports,
        JsonNode info,
        Target target,
        Map<String, ProcessCounters> counters) {

    private static final String AGGREGATOR = "aggregator-service";

    private static final String CALLS = "chatterbox_inputs_total";
    private static final String MESSAGES = "chatterbox_calls_seconds_count";
    private static final String UNMATCHED = "chatterbox_replies_unmatched_total";
    private static final String SQUARES = "chatterbox_squares_total";
    private static final String FAULTS = "chatterbox_faults";

    /** A process that was replaced this short a time before a load may not have been sampled again when it began. */
    private static final long BEFORE_SECONDS = 60;

    /**
     * Asks the aggregator for its rows, and looks for the counters of their processes.
     *
     * @param names the rows to compare; empty for all rows that are up
     * @param onlyIfUp whether named rows are left out if they are not up
     * @param rows the rows of this checkout
     * @param version of this program; empty if it is not known
     * @throws IllegalArgumentException this is no Chatterbox of this version with these rows, or Prometheus does not
     *     know it; the message is one sentence without its full stop
     */
    public static Deployment find(
            Remote aggregator,
            PrometheusServer prometheus,
            List<String> names,
            boolean onlyIfUp,
            Rows rows,
            String version) {
        URI address = aggregator.address();
        try {
            JsonNode transports = aggregator.json("/transports");
            JsonNode info = aggregator.json("/actuator/info");
            require(transports.path(0).has("exchanges"), "%s is no Chatterbox: /transports has no rows", address);
            String theirs = info.at("/build/version").asString("of an unknown version");
            boolean same = version.isEmpty() || theirs.equals(version);
            require(same, "%s runs Chatterbox %s, but its metrics must be those of %s", address, theirs, version);
            Target target = target(address, transports, names, onlyIfUp, rows);
            double calls = prometheus.value("count(%s)".formatted(prometheus.selector(CALLS, Map.of())));
            require(calls > 0, "%s has no %s of an aggregator, or --match excludes it", prometheus.name(), CALLS);
            Map<String, ProcessCounters> counters = new TreeMap<>();
            for (Member process : target.processes()) {
                ProcessCounters.find(prometheus, process.name())
                        .ifPresent(found -> counters.put(process.name(), found));
            }
            Deployment found = new Deployment(aggregator, prometheus, transports, info, target, counters);
            require(!counters.isEmpty(), "%s knows the CPU time of none of %s", prometheus.name(), found.unknown());
            return found;
        } catch (IOException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    private static void require(boolean condition, String message, Object... values) {
        if (!condition) {
            throw new IllegalArgumentException(message.formatted(values));
        }
    }

    private static Target target(URI address, JsonNode transports, List<String> names, boolean onlyIfUp, Rows rows) {
        Map<String, JsonNode> up = new LinkedHashMap<>();
        transports.values().stream()
                .filter(row -> row.path("state").asString("").equals("up"))
                .forEach(row -> up.put(row.path("name").asString(""), row));
        Set<Member> processes = new LinkedHashSet<>();
        Member aggregator = Member.of(AGGREGATOR, 0, 0);
        processes.add(aggregator);
        List<Target.RowTarget> targets = new ArrayList<>();
        for (String name : names.isEmpty() ? up.keySet() : names) {
            JsonNode there = up.get(name);
            require(there != null || onlyIfUp, "The row %s is not up at %s; up are: %s", name, address, up.keySet());
            if (there != null) {
                Optional<Row> row = rows.find(name);
                require(row.isPresent(), "%s has the row %s, which this checkout does not have", address, name);
                Optional<Member> responder = process(there, "responder");
                Optional<Member> broker = process(there, "broker");
                Stream.of(responder, broker).forEach(process -> process.ifPresent(processes::add));
                targets.add(new Target.RowTarget(
                        row.orElseThrow(),
                        responder.map(Target.Service::of),
                        Optional.empty(),
                        broker.stream().toList(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty()));
            }
        }
        require(!targets.isEmpty(), "No row is up at %s", address);
        return new Target(Target.Service.of(aggregator), targets, List.copyOf(processes), Optional.empty(), Map.of());
    }

    private static Optional<Member> process(JsonNode row, String role) {
        return Optional.of(row.path(role).asString(""))
                .filter(name -> !name.isEmpty())
                .map(name -> Member.of(name, 0, 0));
    }

    /** The names of the processes whose CPU time is not known. */
    public List<String> unknown() {
        return target.processes().stream()
                .map(Member::name)
                .filter(name -> !counters.containsKey(name))
                .toList();
    }

    public double time() throws IOException {
        return prometheus.value("vector(time())");
    }

    /** The selectors of the counters of calls and of squares. */
    private List<String> counted() {
        return Stream.of(CALLS, SQUARES)
                .map(name -> prometheus.selector(name, Map.of()))
                .toList();
    }

    /** The longest mean time between two samples of a counter in the last five minutes; at least a second. */
    public double interval() throws IOException {
        String first = "min_over_time(timestamp(%1$s)[5m:1s])";
        String mean = "(timestamp(%1$s) - " + first + ") / ((count_over_time(%1$s[5m]) > 1) - 1)";
        Stream<String> clocks = counters.values().stream().map(ProcessCounters::cpu);
        return prometheus.value(Stream.concat(counted().stream(), clocks)
                .map(mean::formatted)
                .collect(Collectors.joining(" or ", "max(", " or vector(1))")));
    }

    /**
     * Until when the counters of calls and of a process were sampled; NaN if they are not. It leaves out replicas that
     * were not sampled since an earlier moment: Prometheus shows those of cAdvisor for some minutes after their end.
     */
    public double sampledUntil(String process, double since) throws IOException {
        double calls = prometheus.value(oldest(counted(), since));
        ProcessCounters of = counters.get(process);
        return of == null ? calls : Math.min(calls, prometheus.value(oldest(List.of(of.cpu()), since)));
    }

    private static String oldest(List<String> selectors, double since) {
        return selectors.stream()
                .map(selector -> "timestamp(%s) > %s".formatted(selector, since))
                .collect(Collectors.joining(" or ", "min(", ")"));
    }

    /**
     * The CPU time that the replicas of a process used since a moment.
     *
     * @param process is not {@linkplain #unknown unknown}
     * @param reasons gets a sentence if these were not the same processes all the time
     * @return nanoseconds
     */
    public long cpuNanos(String process, double since, Set<String> reasons) throws IOException {
        ProcessCounters of = Objects.requireNonNull(counters.get(process), process);
        String growth = "(%1$s - %1$s @ %2$s)".formatted(of.cpu(), since);
        String began = "count(%1$s) + count(%1$s @ %2$s) - 2 * count(%3$s)".formatted(of.cpu(), since, growth);
        String replaced = "sum(resets(%1$s[%3$ss])) + (sum(changes(%2$s[%3$ss])) or vector(0))"
                .formatted(of.cpu(), of.members(), Math.round(time() - since) + BEFORE_SECONDS);
        if (prometheus.value(began + " + " + replaced) != 0) {
            reasons.add("a process of %s began, ended or was replaced".formatted(process));
        }
        // Prometheus may read a replica in several ways, and then it is counted once.
        return Math.round(of.nanos() * prometheus.value("sum(max by (instance, pod, mode) (%s))".formatted(growth)));
    }

    /** The resident bytes of a process, summed over its replicas; 0 if they are not known. */
    public long memory(String process) throws IOException {
        ProcessCounters of = counters.get(process);
        return of == null ? 0 : (long) prometheus.value(of.memory());
    }

    /** What the services have counted until now. */
    public ServiceCounts counts() throws IOException {
        Map<String, Map<String, Double>> outcomes = new HashMap<>();
        Map<String, Double> messages = new HashMap<>();
        Map<String, Double> unmatched = new HashMap<>();
        Map<String, Double> squares = new HashMap<>();
        Map<String, String> faults = new TreeMap<>();
        String names = String.join("|", CALLS, MESSAGES, UNMATCHED, SQUARES, FAULTS);
        prometheus.values(prometheus.selector("", Map.of("__name__", names))).forEach((labels, value) -> {
            String row = labels.getOrDefault("transport", "");
            switch (labels.getOrDefault("__name__", "")) {
                case CALLS ->
                    outcomes.computeIfAbsent(row, none -> new TreeMap<>())
                            .merge(labels.getOrDefault("outcome", ""), value, Double::sum);
                case MESSAGES -> messages.merge(row, value, Double::sum);
                case UNMATCHED -> unmatched.merge(row, value, Double::sum);
                case SQUARES -> squares.merge(labels.getOrDefault("responder", ""), value, Double::sum);
                default -> {
                    if (value != 0) {
                        faults.put(labels.getOrDefault("process", ""), labels.get("fault") + " " + value);
                    }
                }
            }
        });
        return new ServiceCounts(outcomes, messages, unmatched, squares, Map.of(), faults);
    }
}
