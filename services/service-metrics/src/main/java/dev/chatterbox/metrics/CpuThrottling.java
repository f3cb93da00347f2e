package dev.chatterbox.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * How often and for how long the kernel held this container back at its CPU limit, from its control group's {@code
 * cpu.stat} (<a href="https://docs.kernel.org/admin-guide/cgroup-v2.html#cpu-interface-files">version 2</a>, and
 * version 1). A process that is in no limited group has none of these meters. The file is read when the meters are
 * scraped.
 */
final class CpuThrottling implements MeterBinder {

    /** The fields with the time of throttling. Each value says how many of the field's units are one second. */
    private static final Map<String, Double> THROTTLED = Map.of("throttled_usec", 1e6, "throttled_time", 1e9);

    /** Held here, because Micrometer refers to them weakly: without this, the counters would stop at a collection. */
    private final List<Path> candidates;

    /** @param root where the container sees its control groups */
    CpuThrottling(Path root) {
        candidates = Stream.of("cpu.stat", "cpu,cpuacct/cpu.stat", "cpu/cpu.stat")
                .map(root::resolve)
                .toList();
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        for (Path file : candidates) {
            if (bound(file, registry)) {
                return;
            }
        }
    }

    /** @return whether the file exists and has one of the fields */
    private static boolean bound(Path file, MeterRegistry registry) {
        for (Map.Entry<String, Double> throttled : THROTTLED.entrySet()) {
            if (!Double.isNaN(value(file, throttled.getKey()))) {
                counter("container.cpu.throttled", file, throttled.getKey(), throttled.getValue())
                        .description("How long the CPU limit held threads back")
                        .baseUnit("seconds")
                        .register(registry);
                counter("container.cpu.periods", file, "nr_periods", 1)
                        .description("Periods of 100 ms with work to do")
                        .register(registry);
                counter("container.cpu.throttled.periods", file, "nr_throttled", 1)
                        .description("Periods in which the CPU limit was reached")
                        .register(registry);
                return true;
            }
        }
        return false;
    }

    private static FunctionCounter.Builder<Path> counter(String name, Path file, String field, double perUnit) {
        return FunctionCounter.builder(name, file, stat -> value(stat, field) / perUnit);
    }

    /** @return NaN if there is no such file or field */
    private static double value(Path file, String field) {
        try (Stream<String> lines = Files.lines(file)) {
            return lines.filter(line -> line.startsWith(field + " "))
                    .mapToDouble(line -> Double.parseDouble(line.substring(field.length() + 1)))
                    .findFirst()
                    .orElse(Double.NaN);
        } catch (IOException | UncheckedIOException e) {
            return Double.NaN;
        }
    }
}
