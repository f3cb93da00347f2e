package dev.chatterbox.processes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class MemoryLimitTests {

    /** {@code tail} keeps the last line of what it reads, and this one has no end. */
    private static final String GREEDY = "sleep 0.5; exec tail /dev/zero";

    @Test
    void endsWhoTakesMoreAndLeavesOthersAsTheyWere() throws Exception {
        assumeThat(MemoryLimit.whyNot()).isEmpty();
        Process modest = new ProcessBuilder("sleep", "60").start();
        Process greedy = new ProcessBuilder("sh", "-c", GREEDY).start();
        Path cgroup = Path.of("/proc/%d/cgroup".formatted(modest.pid()));
        String before = Files.readString(cgroup);
        try (MemoryLimit limit = MemoryLimit.of(List.of(modest.pid(), greedy.pid()), 20 << 20)) {
            assertThat(Files.readString(cgroup)).isNotEqualTo(before);
            assertThat(greedy.waitFor(20, TimeUnit.SECONDS)).isTrue();
            assertThat(greedy.exitValue()).as("128 + SIGKILL").isEqualTo(137);
            assertThat(limit.ended()).isEqualTo(1);
        } finally {
            greedy.destroyForcibly();
        }

        assertThat(modest.isAlive()).isTrue();
        assertThat(Files.readString(cgroup)).isEqualTo(before);
        assertThat(MemoryLimit.whyNot()).as("nothing is left of it").isEmpty();
        modest.destroyForcibly();
    }
}
