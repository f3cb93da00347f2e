package dev.chatterbox.comparison;

import dev.chatterbox.comparison.counts.ServiceCounts;
import dev.chatterbox.processes.ProcessException;
import dev.chatterbox.stack.Member;
import dev.chatterbox.stack.Target;
import dev.chatterbox.variants.Variants;
import dev.chatterbox.workloads.Load;
import dev.chatterbox.workloads.Slice;
import dev.chatterbox.workloads.SliceResult;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/**
 * A stack with the variants nats and rest that is not there, and the generator that puts load on it. Every process of
 * the stack is this JVM. A slice makes its requests at once, and each user would make {@value #PER_USER} in a second.
 * Tests override what becomes of a slice.
 */
class FakeStack implements SliceWorker {

    static final int PER_USER = 100;
    static final List<String> VARIANTS = List.of("nats", "rest");

    private static final long SELF = ProcessHandle.current().pid();

    /** The slices of both variants in the order in which they began. */
    final List<Slice> slices = new ArrayList<>();

    private final Map<String, Map<String, Double>> outcomes = new HashMap<>();
    private final Map<String, Double> messages = new HashMap<>();
    private final Map<String, Double> unmatched = new HashMap<>();
    private final Map<String, Double> squares = new HashMap<>();
    private final Map<String, SliceResult> results = new LinkedHashMap<>();

    final Target target = new Target(
            Target.Service.of(process("aggregator")),
            VARIANTS.stream().map(FakeStack::variant).toList(),
            List.of(),
            Optional.empty(),
            Map.of());

    private static Member process(String name) {
        return Member.of(name, SELF, 1);
    }

    private static Target.VariantTarget variant(String name) {
        return new Target.VariantTarget(
                Variants.read(Path.of("../../variants")).find(name).orElseThrow(),
                Optional.of(Target.Service.of(process(responder(name)))),
                Optional.empty(),
                List.of(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    static String responder(String variant) {
        return "square-service-" + variant;
    }

    /** What becomes of a slice that is carried out: its result, after {@link #count} has counted its calls. */
    SliceResult serve(Slice slice) {
        long right = requests(slice);
        count(slice.variant(), right * slice.workload().calls());
        return result(slice, right, Map.of());
    }

    static long requests(Slice slice) {
        int users = slice.workload().load() instanceof Load.Users closed ? closed.count() : 1;
        return slice.requests() > 0 ? slice.requests() : (long) (slice.seconds() * PER_USER * users);
    }

    static SliceResult result(Slice slice, long right, Map<String, Long> failures) {
        Histogram latency = new Histogram(3);
        latency.recordValue(1_000_000);
        int users = slice.workload().load() instanceof Load.Users closed ? closed.count() : 1;
        double seconds = Math.max(0.01, (double) right / (PER_USER * users));
        return new SliceResult(slice.id(), seconds, right, failures, 0, latency, 0.1);
    }

    /** Counts calls that came right through the aggregator and the variant's responder. */
    void count(String variant, double calls) {
        count(variant, "ok", calls);
    }

    void count(String variant, String outcome, double calls) {
        outcomes.computeIfAbsent(variant, none -> new TreeMap<>()).merge(outcome, calls, Double::sum);
        messages.merge(variant, calls, Double::sum);
        squares.merge(responder(variant), calls, Double::sum);
    }

    /** Counts squares that a responder made, and no call of an aggregator asked for; fewer if it is negative. */
    void countSquares(String variant, double squares) {
        this.squares.merge(responder(variant), squares, Double::sum);
    }

    void countUnmatched(String variant) {
        unmatched.merge(variant, 1.0, Double::sum);
    }

    ServiceCounts counts() {
        Map<String, Map<String, Double>> copy = new HashMap<>();
        outcomes.forEach((variant, counts) -> copy.put(variant, new TreeMap<>(counts)));
        return new ServiceCounts(
                copy, new HashMap<>(messages), new HashMap<>(unmatched), new HashMap<>(squares), Map.of(), Map.of());
    }

    static int block(Slice slice) {
        return slice.id().startsWith("block-")
                ? Integer.parseInt(
                        slice.id().substring("block-".length(), slice.id().indexOf('/')))
                : 0;
    }

    @Override
    public void begin(Slice slice) {
        slices.add(slice);
        results.put(slice.id(), serve(slice));
    }

    @Override
    public SliceResult result(Slice slice, Duration patience) {
        SliceResult result = results.remove(slice.id());
        if (result == null) {
            throw new ProcessException("the generator gave no result of the slice " + slice.id());
        }
        return result;
    }

    @Override
    public Map<Long, String> roles() {
        return Map.of();
    }

    @Override
    public void kill() {}

    @Override
    public void close() {}
}
