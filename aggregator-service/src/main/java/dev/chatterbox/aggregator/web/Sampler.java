package dev.chatterbox.aggregator.web;

import dev.chatterbox.aggregator.fanout.CallDurations;
import dev.chatterbox.aggregator.fanout.Transport;
import dev.chatterbox.aggregator.fanout.Transports;
import dev.chatterbox.aggregator.web.Sample.VariantSample;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;
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
                    new Counts(meters, "chatterbox.inputs", transport.name()),
                    new Counts(meters, "chatterbox.calls", transport.name()),
                    new Durations(transport.callDurations()),
                    new Durations(transport.requestDurations())));
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

    private record VariantMeters(
            Transport transport, Counts inputs, Counts outcomes, Durations calls, Durations requests) {

        VariantSample figures(Transport.@Nullable Status status, double seconds) {
            // No check is needed to know that a transport is disabled.
            Transport.State unchecked = transport.enabled() ? null : new Transport.State("disabled", null);
            Histogram request = requests.advance();
            return new VariantSample(
                    status == null ? unchecked : status.state(),
                    request.getTotalCount() / seconds,
                    inputs.advance(seconds).values().stream()
                            .mapToDouble(Double::doubleValue)
                            .sum(),
                    transport.inFlight(),
                    transport.waiting(),
                    Sample.Latency.of(calls.advance()),
                    Sample.Latency.of(request),
                    outcomes.advance(seconds));
        }
    }

    /** The counts of one metric, by outcome. */
    private static final class Counts {

        private final List<Meter> meters;
        private Map<String, Double> last;

        Counts(MeterRegistry registry, String metric, String transport) {
            meters = List.copyOf(
                    registry.find(metric).tag("transport", transport).meters());
            last = read();
        }

        private Map<String, Double> read() {
            Map<String, Double> counts = new TreeMap<>();
            meters.forEach(meter -> counts.put(
                    String.valueOf(meter.getId().getTag("outcome")),
                    meter instanceof Timer timer ? (double) timer.count() : ((Counter) meter).count()));
            return counts;
        }

        /** How many more there are a second, where there are more. */
        Map<String, Double> advance(double seconds) {
            Map<String, Double> before = last;
            last = read();
            Map<String, Double> rates = new TreeMap<>(last);
            rates.replaceAll((outcome, count) -> (count - before.getOrDefault(outcome, 0.0)) / seconds);
            rates.values().removeIf(rate -> rate == 0);
            return rates;
        }
    }

    private static final class Durations {

        private static final Histogram NONE = new Histogram(1);

        private final CallDurations all;
        private Histogram last;

        Durations(CallDurations all) {
            this.all = all;
            last = all.copy();
        }

        /** Those since the time before. Copies are made only after calls, because most variants are mostly idle. */
        Histogram advance() {
            if (all.count() == last.getTotalCount()) {
                return NONE;
            }
            Histogram before = last;
            last = all.copy();
            Histogram since = last.copy();
            since.subtract(before);
            return since;
        }
    }
}
