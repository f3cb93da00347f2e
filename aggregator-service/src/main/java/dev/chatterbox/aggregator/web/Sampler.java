package dev.chatterbox.aggregator.web;

import dev.chatterbox.aggregator.fanout.Transport;
import dev.chatterbox.aggregator.fanout.Transports;
import dev.chatterbox.aggregator.web.Sample.VariantSample;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the meters, and remembers what it read before. Used by one thread at a time. */
final class Sampler {

    private final List<VariantMeters> variants = new ArrayList<>();
    private long nanos = System.nanoTime();
    private double cpuNanos = cpuNanos();

    Sampler(Transports transports, MeterRegistry meters) {
        for (Transport transport : transports.all()) {
            variants.add(new VariantMeters(
                    transport,
                    new Inputs(meters, transport.name()),
                    new Meter(meters, "chatterbox.calls", transport.name()),
                    new Meter(meters, "chatterbox.requests", transport.name())));
        }
    }

    /**
     * What happened since the sample before, or since this sampler was made.
     *
     * @param states of those transports that were checked, by name
     */
    Sample sample(Map<String, Transport.Status> states) {
        long nowNanos = System.nanoTime();
        double nowCpu = cpuNanos();
        double seconds = (nowNanos - nanos) / 1e9;
        double cpu = (nowCpu - cpuNanos) / (nowNanos - nanos);
        nanos = nowNanos;
        cpuNanos = nowCpu;
        Map<String, VariantSample> figures = new LinkedHashMap<>();
        for (VariantMeters variant : variants) {
            String name = variant.transport.name();
            figures.put(name, variant.figures(states.get(name), seconds));
        }
        Runtime runtime = Runtime.getRuntime();
        return new Sample(
                System.currentTimeMillis(),
                seconds,
                new Sample.ProcessSample(
                        cpu, runtime.availableProcessors(), runtime.totalMemory() - runtime.freeMemory()),
                figures);
    }

    private static double cpuNanos() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof com.sun.management.OperatingSystemMXBean os
                ? os.getProcessCpuTime()
                : 0;
    }

    private record VariantMeters(Transport transport, Inputs inputs, Meter calls, Meter requests) {

        VariantSample figures(Transport.@Nullable Status state, double seconds) {
            // No check is needed to know that a transport is disabled.
            String unchecked = transport.enabled() ? null : "disabled";
            IntervalCounts call = calls.advance();
            IntervalCounts request = requests.advance();
            Map<String, Double> outcomes = new LinkedHashMap<>();
            call.outcomes().forEach((outcome, count) -> {
                if (count > 0) {
                    outcomes.put(outcome, count / seconds);
                }
            });
            return new VariantSample(
                    state == null ? unchecked : state.state(),
                    state == null ? null : state.reason(),
                    request.count() / seconds,
                    inputs.advance() / seconds,
                    transport.inFlight(),
                    transport.waiting(),
                    call.quantile(0.5),
                    call.quantile(0.99),
                    request.quantile(0.5),
                    request.quantile(0.99),
                    outcomes);
        }
    }

    /** The numbers that were to be squared: a batch carries several. */
    private static final class Inputs {

        private final List<Counter> counters;
        private double last;

        Inputs(MeterRegistry meters, String transport) {
            counters = List.copyOf(
                    meters.find("chatterbox.inputs").tag("transport", transport).counters());
            last = count();
        }

        private double count() {
            return counters.stream().mapToDouble(Counter::count).sum();
        }

        double advance() {
            double now = count();
            double since = now - last;
            last = now;
            return since;
        }
    }

    /** The timers of one metric, one for each outcome. */
    private static final class Meter {

        private final List<Timer> timers;
        private IntervalCounts last;

        Meter(MeterRegistry meters, String metric, String transport) {
            timers = List.copyOf(meters.find(metric).tag("transport", transport).timers());
            last = IntervalCounts.of(timers);
        }

        /**
         * Reads the buckets only after calls: this costs much more than the counts, and most variants are mostly idle.
         */
        IntervalCounts advance() {
            if (timers.stream().mapToLong(Timer::count).sum() == last.count()) {
                return IntervalCounts.EMPTY;
            }
            IntervalCounts now = IntervalCounts.of(timers);
            IntervalCounts since = now.since(last);
            last = now;
            return since;
        }
    }
}
