package dev.chatterbox.comparison;

import dev.chatterbox.comparison.counts.ServiceCounts;
import dev.chatterbox.results.Counts;
import dev.chatterbox.stack.Target;
import dev.chatterbox.workloads.Workload;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Compares what the generator counted with what the services counted, block by block and over the run. A variant's
 * calls must agree to the last one; a responder's squares must agree with the calls over all of its variants.
 */
final class Ledger {

    /** What the generator counted of one variant in the block. */
    private record Ordered(long requests, long calls, long messages, long failed) {}

    private final Map<String, Ordered> block = new HashMap<>();

    /** Calls of bare clients in the block, by the responder that got them. */
    private final Map<String, Long> bare = new HashMap<>();

    private long requests;
    private final Map<String, Long> generator = new TreeMap<>();
    private final Map<String, Long> aggregator = new TreeMap<>();
    private final Map<String, Long> responder = new TreeMap<>();
    private final Map<String, Long> shares = new TreeMap<>();
    private final Map<String, Long> expected = new TreeMap<>();
    private boolean complete = true;

    /** Adds the requests of a slice that has ended. */
    void add(Subject subject, long right, long failed) {
        Workload workload = subject.workload();
        long calls = right * workload.calls();
        if (subject.bare()) {
            subject.variantTarget()
                    .responder()
                    .ifPresent(process -> bare.merge(process.name(), calls + failed, Long::sum));
            return;
        }
        block.merge(
                subject.variant(),
                new Ordered(right, calls, right * workload.messages(), failed),
                (a, b) -> new Ordered(
                        a.requests + b.requests, a.calls + b.calls, a.messages + b.messages, a.failed + b.failed));
    }

    /** Notes that calls were made that nobody counted, or that a service did not answer. */
    void incomplete() {
        complete = false;
        begin();
    }

    /** Notes that some calls in the block were not counted; the others are. */
    void missing() {
        complete = false;
    }

    /** Begins a block: what was counted before belongs to no block. */
    void begin() {
        block.clear();
        bare.clear();
    }

    /** Whether the services' counts agree already; also true after a failed request, whose calls nobody knows. */
    boolean agreesWith(Target target, ServiceCounts counted) {
        return isAnyFailed() || reasons(target, counted).isEmpty();
    }

    private boolean isAnyFailed() {
        return block.values().stream().anyMatch(ordered -> ordered.failed > 0);
    }

    /**
     * Closes a block.
     *
     * @param counted what the services counted in the block
     * @return by variant, why its slices in this block do not count; it has only variants with such a reason
     */
    Map<String, List<String>> close(Target target, ServiceCounts counted) {
        Map<String, List<String>> reasons = reasons(target, counted);
        for (Target.VariantTarget variant : target.variants()) {
            String name = variant.variant().name();
            Ordered ordered = ordered(name);
            variant.responder()
                    .map(process -> counted.faults().get(process.name()))
                    .ifPresent(fault -> reasons.computeIfAbsent(name, none -> new ArrayList<>())
                            .add("the responder fails on demand: " + fault));
            requests += ordered.requests;
            if (ordered.calls > 0 || counted.calls(name) > 0) {
                generator.merge(name, ordered.calls, Long::sum);
                aggregator.merge(name, Math.round(counted.calls(name)), Long::sum);
            }
        }
        sent(target, counted).forEach((process, calls) -> {
            responder.merge(process, Math.round(counted.squares().getOrDefault(process, 0.0)), Long::sum);
            expected.merge(process, Math.round(calls), Long::sum);
        });
        counted.shares().forEach((process, squares) -> shares.merge(process, Math.round(squares), Long::sum));
        complete &= !isAnyFailed();
        block.clear();
        bare.clear();
        return reasons;
    }

    private Ordered ordered(String variant) {
        return block.getOrDefault(variant, new Ordered(0, 0, 0, 0));
    }

    /** By responder whose count is known: the calls over all of its variants, and those of bare clients. */
    private Map<String, Double> sent(Target target, ServiceCounts counted) {
        Map<String, Double> sent = new HashMap<>();
        for (Target.VariantTarget variant : target.variants()) {
            variant.responder()
                    .filter(process -> counted.squares().containsKey(process.name()))
                    .ifPresent(process -> {
                        sent.computeIfAbsent(process.name(), name -> (double) bare.getOrDefault(name, 0L));
                        sent.merge(
                                process.name(), counted.calls(variant.variant().name()), Double::sum);
                    });
        }
        return sent;
    }

    private Map<String, List<String>> reasons(Target target, ServiceCounts counted) {
        Map<String, List<String>> reasons = new HashMap<>();
        Map<String, Double> sent = sent(target, counted);
        for (Target.VariantTarget variant : target.variants()) {
            String name = variant.variant().name();
            List<String> why = reasons(name, ordered(name), counted);
            variant.responder()
                    .map(Target.Service::name)
                    .filter(sent::containsKey)
                    .ifPresent(process -> {
                        double squares = counted.squares().getOrDefault(process, 0.0);
                        if (squares != sent.getOrDefault(process, 0.0)) {
                            why.add("%.0f calls reached the responder, but %.0f were sent"
                                    .formatted(squares, sent.get(process)));
                        }
                    });
            if (!why.isEmpty()) {
                reasons.put(name, why);
            }
        }
        return reasons;
    }

    private static List<String> reasons(String variant, Ordered ordered, ServiceCounts counted) {
        List<String> reasons = new ArrayList<>();
        counted.outcomes().getOrDefault(variant, Map.of()).forEach((outcome, count) -> {
            if (count > 0 && !outcome.equals(ServiceCounts.OK)) {
                reasons.add("%.0f calls ended as %s".formatted(count, outcome));
            }
        });
        double unmatched = counted.unmatched().getOrDefault(variant, 0.0);
        if (unmatched > 0) {
            reasons.add("%.0f replies came late, twice or for no call".formatted(unmatched));
        }
        // Nobody knows how many calls a failed request made, so there is no count to agree with.
        if (ordered.failed == 0 && counted.calls(variant) != ordered.calls) {
            reasons.add("%.0f calls by the aggregator's count, %d by the generator's"
                    .formatted(counted.calls(variant), ordered.calls));
        }
        double messages = counted.messages().getOrDefault(variant, 0.0);
        if (ordered.failed == 0 && messages != ordered.messages) {
            reasons.add("%.0f messages by the aggregator's count, but so many calls take %d"
                    .formatted(messages, ordered.messages));
        }
        return reasons;
    }

    /** The counts over the run. */
    Counts counts() {
        boolean agree = complete && generator.equals(aggregator) && expected.equals(responder);
        return new Counts(requests, generator, aggregator, responder, shares, agree);
    }
}
