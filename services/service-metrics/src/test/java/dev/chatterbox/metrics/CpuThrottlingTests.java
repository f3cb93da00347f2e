package dev.chatterbox.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.lang.ref.Reference;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CpuThrottlingTests {

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    @TempDir
    private Path root;

    @Test
    void readsVersion2() throws IOException {
        Files.writeString(root.resolve("cpu.stat"), """
                usage_usec 9000000
                nr_periods 40
                nr_throttled 3
                throttled_usec 250000
                """);
        new CpuThrottling(root).bindTo(registry);

        assertThat(count("container.cpu.throttled")).isEqualTo(0.25);
        assertThat(count("container.cpu.periods")).isEqualTo(40);
        assertThat(count("container.cpu.throttled.periods")).isEqualTo(3);
    }

    @Test
    void readsVersion1() throws IOException {
        Files.createDirectory(root.resolve("cpu,cpuacct"));
        Files.writeString(root.resolve("cpu,cpuacct/cpu.stat"), """
                nr_periods 40
                nr_throttled 3
                throttled_time 250000000
                """);
        new CpuThrottling(root).bindTo(registry);

        assertThat(count("container.cpu.throttled")).isEqualTo(0.25);
    }

    @Test
    void goesOnAfterACollection() throws IOException {
        Path file = Files.writeString(root.resolve("cpu.stat"), "nr_periods 40\nthrottled_usec 0\n");
        CpuThrottling throttling = new CpuThrottling(root);
        throttling.bindTo(registry);
        System.gc();
        Files.writeString(file, "nr_periods 41\nthrottled_usec 0\n");

        assertThat(count("container.cpu.periods")).isEqualTo(41);
        Reference.reachabilityFence(throttling);
    }

    @Test
    void tellsNothingWhereThereIsNoLimit() throws IOException {
        Files.writeString(root.resolve("cpu.stat"), "usage_usec 9000000\n");
        new CpuThrottling(root).bindTo(registry);

        assertThat(registry.getMeters()).isEmpty();
    }

    private double count(String name) {
        return registry.get(name).functionCounter().count();
    }
}
