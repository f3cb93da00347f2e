package dev.chatterbox.aggregator.web;

import com.sun.management.OperatingSystemMXBean;
import dev.chatterbox.aggregator.fanout.CallDurations;
import dev.chatterbox.aggregator.fanout.Transport;
import dev.chatterbox.aggregator.fanout.Transports;
import dev.chatterbox.aggregator.web.Sample.VariantSample;
import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** Reads the meters, and remembers what it read before. Used by one thread at a time. */
final class Sampler {

    private final List<VariantMeters> variants;
    private long nanos = System.nanoTime();
    private double cpuNanos = cpuNanos();

    Sampler(Transports transports) {
        variants = transports.all().stream().map(VariantMeters::new).toList();
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
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
    }

    private static final class VariantMeters {

        private final Transport transport;
        private final Durations calls;
        private final Durations requests;
        private double inputs;
        private Map<String, Long> outcomes;

        VariantMeters(Transport transport) {
            this.transport = transport;
            calls = new Durations(transport.meters.callDurations);
            requests = new Durations(transport.meters.requestDurations);
            inputs = transport.meters.inputs();
            outcomes = transport.meters.calls();
        }

        VariantSample figures(Transport.@Nullable Status status, double seconds) {
            // No check is needed to know that a transport is disabled.
            Transport.State unchecked = transport.enabled() ? null : new Transport.State("disabled", null);
            Histogram request = requests.advance();
            double inputsBefore = inputs;
            inputs = transport.meters.inputs();
            return new VariantSample(
                    status == null ? unchecked : status.state(),
                    request.getTotalCount() / seconds,
                    (inputs - inputsBefore) / seconds,
                    transport.inFlight(),
                    transport.waiting(),
                    Sample.Latency.of(calls.advance()),
                    Sample.Latency.of(request),
                    outcomes(seconds));
        }

        /** How many calls per second ended so, for each outcome that there was. */
        private Map<String, Double> outcomes(double seconds) {
            Map<String, Long> before = outcomes;
            outcomes = transport.meters.calls();
            Map<String, Double> rates = new TreeMap<>();
            outcomes.forEach(
                    (outcome, count) -> rates.put(outcome, (count - before.getOrDefault(outcome, 0L)) / seconds));
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
