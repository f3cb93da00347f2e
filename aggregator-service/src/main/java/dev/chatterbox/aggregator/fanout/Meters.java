package dev.chatterbox.aggregator.fanout;

import dev.chatterbox.client.Outcome;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import java.util.stream.Stream;

/** One transport's meters. Recording takes some 100 ns. All exist from the start, so that each rate begins at zero. */
public final class Meters {

    /** The index is the outcome's ordinal. */
    private final Timer[] calls = new Timer[Outcome.values().length];

    private final Counter[] inputs = new Counter[Outcome.values().length];
    private final Timer[] requests = new Timer[Outcome.values().length];
    private final Timer queued;

    /** Of all calls, whatever their outcome. */
    public final CallDurations callDurations = new CallDurations();

    public final CallDurations requestDurations = new CallDurations();

    Meters(String transport, IntSupplier inFlight, MeterRegistry registry) {
        Tags all = Tags.of("transport", transport);
        for (Outcome outcome : Outcome.values()) {
            int index = outcome.ordinal();
            Tags tags = all.and("outcome", outcome.tag());
            calls[index] = timer("chatterbox.calls", "Calls, each a message, from sent to replied", tags, registry);
            inputs[index] = Counter.builder("chatterbox.inputs")
                    .description("Numbers in calls that ended")
                    .tags(tags)
                    .register(registry);
            requests[index] = timer(
                    "chatterbox.requests", "Whole requests, from their start to their last reply", tags, registry);
        }
        queued = timer(
                "chatterbox.calls.queued",
                "A call's wait for the limit on calls in flight, from the start of its request",
                all,
                registry);
        Gauge.builder("chatterbox.calls.in.flight", inFlight::getAsInt)
                .description("Calls sent and not yet ended")
                .tags(all)
                .register(registry);
    }

    private static Timer timer(String name, String description, Tags tags, MeterRegistry registry) {
        // Micrometer's own buckets begin at 1 ms, but most calls are shorter.
        return Timer.builder(name)
                .description(description)
                .tags(tags)
                .publishPercentileHistogram()
                .minimumExpectedValue(Duration.ofNanos(100_000))
                .maximumExpectedValue(Duration.ofSeconds(10))
                .register(registry);
    }

    /**
     * @param nanos from the sending of the call to its end
     * @param inputsOfCall how many numbers the call was to square
     */
    void call(Outcome outcome, long nanos, int inputsOfCall) {
        inputs[outcome.ordinal()].increment(inputsOfCall);
        calls[outcome.ordinal()].record(nanos, TimeUnit.NANOSECONDS);
        callDurations.record(nanos);
    }

    /** How many calls have ended, by outcome. */
    public Map<String, Long> calls() {
        Map<String, Long> counts = new TreeMap<>();
        for (Outcome outcome : Outcome.values()) {
            counts.put(outcome.tag(), calls[outcome.ordinal()].count());
        }
        return counts;
    }

    /** How many numbers these calls were to square. */
    public double inputs() {
        return Stream.of(inputs).mapToDouble(Counter::count).sum();
    }

    void request(Outcome outcome, long start) {
        long nanos = System.nanoTime() - start;
        requests[outcome.ordinal()].record(nanos, TimeUnit.NANOSECONDS);
        requestDurations.record(nanos);
    }

    /** Counts a request that was refused; it took no time that is worth a place among the durations. */
    void refused() {
        requests[Outcome.UNAVAILABLE.ordinal()].record(0, TimeUnit.NANOSECONDS);
    }

    void queued(long nanos) {
        queued.record(nanos, TimeUnit.NANOSECONDS);
    }
}
