package dev.chatterbox.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * How often and for how long the kernel held this container back at its CPU limit, from its control group's {@code
 * cpu.stat} (<a href="https://docs.kernel.org/admin-guide/cgroup-v2.html#cpu-interface-files">version 2</a>, and
 * version 1). A process that is in no limited group has none of these meters. The file is read when the meters are
 * scraped.
 */
final class CpuThrottling implements MeterBinder {

    /** The field of {@code cpu.stat}, in nanoseconds or microseconds. */
    private record Field(String name, double perUnit) {}

    private static final List<Field> THROTTLED =
            List.of(new Field("throttled_usec", 1e6), new Field("throttled_time", 1e9));

    private final List<Path> candidates;

    /** @param root where the container sees its control groups */
    CpuThrottling(Path root) {
        candidates =
                List.of(root.resolve("cpu.stat"), root.resolve("cpu,cpuacct/cpu.stat"), root.resolve("cpu/cpu.stat"));
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        for (Path file : candidates) {
            for (Field throttled : THROTTLED) {
                if (value(file, throttled.name()).isPresent()) {
                    bind(file, throttled, registry);
                    return;
                }
            }
        }
    }

    private static void bind(Path file, Field throttled, MeterRegistry registry) {
        counter("container.cpu.throttled", "How long the CPU limit held threads back", file, throttled)
                .baseUnit("seconds")
                .register(registry);
        counter("container.cpu.periods", "Periods of 100 ms with work to do", file, new Field("nr_periods", 1))
                .register(registry);
        counter(
                        "container.cpu.throttled.periods",
                        "Periods in which the CPU limit was reached",
                        file,
                        new Field("nr_throttled", 1))
                .register(registry);
    }

    private static FunctionCounter.Builder<Path> counter(String name, String description, Path file, Field field) {
        return FunctionCounter.builder(
                        name, file, stat -> value(stat, field.name()).orElse(Double.NaN) / field.perUnit())
                .description(description);
    }

    private static Optional<Double> value(Path file, String field) {
        try {
            return Files.readAllLines(file).stream()
                    .filter(line -> line.startsWith(field + " "))
                    .map(line -> Double.parseDouble(line.substring(field.length() + 1)))
                    .findFirst();
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
