package dev.chatterbox.comparison.remote;

import dev.chatterbox.comparison.counts.Prometheus.Sample;
import dev.chatterbox.comparison.counts.ServiceCounts;
import dev.chatterbox.stack.Member;
import dev.chatterbox.stack.Repository;
import dev.chatterbox.stack.Target;
import dev.chatterbox.variants.Variant;
import dev.chatterbox.variants.Variants;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/**
 * A running system that this program did not start, and never changes. Its counters are read from Prometheus while
 * nothing is under way, and subtracted: nothing is interpolated or extrapolated.
 *
 * @param transports the aggregator's answer to {@code GET /transports}
 * @param info its answer to {@code GET /actuator/info}
 * @param target its variants and processes, without process ids and ports
 * @param counters by process, and those of calls by {@link #COUNTED}; without those whose CPU time is not known
 */
public record Deployment(
        Remote aggregator,
        PrometheusServer prometheus,
        JsonNode transports,
        JsonNode info,
        Target target,
        Map<String, ProcessCounters> counters) {

    /** What stands for a process in {@code counters}, and has the counters of calls and squares. */
    public static final String COUNTED = "calls";

    /**
     * Asks the aggregator for its variants, and looks for the counters of their processes.
     *
     * @param names the variants to compare; empty for all variants that are up
     * @param onlyIfUp whether named variants are left out if they are not up
     * @param variants the variants of this checkout
     * @param version of this program; empty if it is not known
     * @throws IllegalArgumentException this is no Chatterbox of this version with these variants, or Prometheus does
     *     not know it; the message is one sentence without its full stop
     */
    public static Deployment find(
            Remote aggregator,
            PrometheusServer prometheus,
            List<String> names,
            boolean onlyIfUp,
            Variants variants,
            String version) {
        URI address = aggregator.address();
        try {
            JsonNode transports = aggregator.json("/transports");
            JsonNode info = aggregator.json("/actuator/info");
            require(transports.path(0).has("modes"), "%s is no Chatterbox: /transports has no variants", address);
            String theirs = info.at("/build/version").asString("of an unknown version");
            boolean same = version.isEmpty() || theirs.equals(version);
            require(same, "%s runs Chatterbox %s, but its metrics must be those of %s", address, theirs, version);
            Target target = target(address, transports, names, onlyIfUp, variants);
            String calls = ServiceCounts.CALLS;
            boolean counts =
                    !prometheus.values(prometheus.selector(calls, Map.of())).isEmpty();
            require(counts, "%s has no %s of an aggregator, or --match excludes it", prometheus.name(), calls);
            Map<String, ProcessCounters> counters = new TreeMap<>();
            for (Member process : target.processes()) {
                ProcessCounters.find(prometheus, process.name())
                        .ifPresent(found -> counters.put(process.name(), found));
            }
            Deployment found = new Deployment(aggregator, prometheus, transports, info, target, counters);
            require(!counters.isEmpty(), "%s knows the CPU time of none of %s", prometheus.name(), found.unknown());
            counters.put(COUNTED, ProcessCounters.ofCalls(prometheus));
            return found;
        } catch (IOException | UncheckedIOException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    private static void require(boolean condition, String message, Object... values) {
        if (!condition) {
            throw new IllegalArgumentException(message.formatted(values));
        }
    }

    private static Target target(
            URI address, JsonNode transports, List<String> names, boolean onlyIfUp, Variants variants) {
        Map<String, JsonNode> up = new LinkedHashMap<>();
        transports.values().stream()
                .filter(variant -> variant.path("state").asString("").equals("up"))
                .forEach(variant -> up.put(variant.path("name").asString(""), variant));
        Set<Member> processes = new LinkedHashSet<>();
        Member aggregator = Member.of(Repository.AGGREGATOR, 0, 0);
        processes.add(aggregator);
        List<Target.VariantTarget> targets = new ArrayList<>();
        for (String name : names.isEmpty() ? up.keySet() : names) {
            JsonNode there = up.get(name);
            require(
                    there != null || onlyIfUp,
                    "The variant %s is not up at %s; up are: %s",
                    name,
                    address,
                    up.keySet());
            if (there != null) {
                Optional<Variant> variant = variants.find(name);
                require(variant.isPresent(), "%s has the variant %s, which this checkout does not have", address, name);
                Optional<Member> responder = process(there, "responder");
                Optional<Member> broker = process(there, "broker");
                Stream.of(responder, broker).forEach(process -> process.ifPresent(processes::add));
                targets.add(new Target.VariantTarget(
                        variant.orElseThrow(),
                        responder.map(Target.Service::of),
                        Optional.empty(),
                        broker.stream().toList(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty()));
            }
        }
        require(!targets.isEmpty(), "No variant is up at %s", address);
        return new Target(Target.Service.of(aggregator), targets, List.copyOf(processes), Optional.empty(), Map.of());
    }

    private static Optional<Member> process(JsonNode variant, String role) {
        return Optional.of(variant.path(role).asString(""))
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

    /**
     * A reading of the counters of a process.
     *
     * @param series by labels; those of process-exporter's groups are numbers of processes, and all others CPU time
     * @param nanos the unit of CPU time in nanoseconds
     */
    public record CpuReading(Map<Map<String, String>, Double> series, double nanos) {

        /** Whether this reading has all series of another one, which has some. */
        public boolean covers(CpuReading other) {
            return !other.series.isEmpty() && series.keySet().containsAll(other.series.keySet());
        }

        /** The series that another reading has, too. */
        public CpuReading of(CpuReading other) {
            Map<Map<String, String>, Double> both = new HashMap<>(series);
            both.keySet().retainAll(other.series.keySet());
            return new CpuReading(both, nanos);
        }

        /** Nanoseconds since an earlier reading; empty if these were not the same processes all the time. */
        public OptionalLong nanosSince(CpuReading earlier) {
            double used = 0;
            boolean same = !series.isEmpty() && series.keySet().equals(earlier.series.keySet());
            for (Map.Entry<Map<String, String>, Double> counter : series.entrySet()) {
                double growth = counter.getValue() - earlier.series.getOrDefault(counter.getKey(), 0.0);
                boolean isNumber = counter.getKey().containsKey(ProcessCounters.GROUP);
                same &= isNumber ? growth == 0 : growth >= 0;
                used += isNumber ? 0 : growth;
            }
            return same ? OptionalLong.of(Math.round(nanos * used)) : OptionalLong.empty();
        }
    }

    /** The counters of a process as they were sampled last. */
    public CpuReading cpu(String process) {
        return read(process, "%s");
    }

    /** The counters of a process that were sampled in the last seconds. */
    public CpuReading cpu(String process, double seconds) {
        return read(process, "last_over_time(%%s[%ds])".formatted((long) seconds));
    }

    private CpuReading read(String process, String sample) {
        ProcessCounters of = Objects.requireNonNull(counters.get(process), process);
        return new CpuReading(prometheus.values(of.series(sample)), of.nanos());
    }

    /** The resident bytes of a process, summed over its replicas; empty if they are not known. */
    public OptionalLong memory(String process) {
        ProcessCounters of = Objects.requireNonNull(counters.get(process), process);
        return prometheus.values(of.memory()).values().stream()
                .mapToLong(Double::longValue)
                .findFirst();
    }

    /** What the services have counted until now. */
    public ServiceCounts counts() {
        String names = String.join("|", ServiceCounts.NAMES);
        return ServiceCounts.of(
                prometheus.values(prometheus.selector("", Map.of("__name__", names))).entrySet().stream()
                        .map(series -> new Sample(
                                series.getKey().getOrDefault("__name__", ""), series.getKey(), series.getValue()))
                        .toList());
    }
}
