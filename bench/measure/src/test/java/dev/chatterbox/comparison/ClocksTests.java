package dev.chatterbox.comparison;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatterbox.processes.Proc;
import dev.chatterbox.processes.clocks.CpuSnapshot;
import dev.chatterbox.processes.clocks.CpuTime;
import dev.chatterbox.results.Role;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Test;

class ClocksTests {

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private static final long SELF = ProcessHandle.current().pid();
    private static final String BURNER = "burner";
    private static final Map<Long, String> ROLES = Map.of(SELF, Role.AGGREGATOR);

    @Test
    void marksAProcessOfWhichAThreadEnded() {
        CpuSnapshot begin = snapshot(Map.of("1", 10L, "2", 20L));
        CpuSnapshot end = snapshot(Map.of("1", 15L, "3", 7L));

        Clocks clocks = new Clocks();
        CellLog.Use use = clocks.between(begin, end, ROLES);

        assertThat(use.nanos()).containsOnly(Map.entry(Role.AGGREGATOR, 12L));
        assertThat(use.threadEnded()).isTrue();
        assertThat(clocks.between(begin, begin, ROLES).threadEnded()).isFalse();
    }

    private static CpuSnapshot snapshot(Map<String, Long> threads) {
        return new CpuSnapshot(0, Map.of(SELF, new CpuTime(0, threads)), Optional.empty());
    }

    /** The reference is the CPU time that the JVM's own bean shows. */
    @Test
    void seesWhatAThreadBurns() {
        Clocks clocks = new Clocks();
        clocks.watch(List.of(SELF));

        CpuSnapshot begin = clocks.read();
        burn(0.4);
        CellLog.Use use = clocks.between(begin, clocks.read(), ROLES);

        assertThat(use.nanos().get(Role.AGGREGATOR)).isBetween(400_000_000L, 2_000_000_000L);
        assertThat(clocks.figures(SELF).userSeconds() + clocks.figures(SELF).systemSeconds())
                .isGreaterThan(0.3);
        assertThat(clocks.difference(SELF)).as("too little to tell").isZero();
    }

    /** This JVM compiles the code by which the test uses its processor. */
    @Test
    void keepsTheCompilersApart() {
        Clocks clocks = new Clocks();
        clocks.watch(List.of(SELF));

        CpuSnapshot begin = clocks.read();
        long compiled = 0;
        for (int i = 0; i < 100 && compiled == 0; i++) {
            // A class that is new to the compilers.
            Proxy.newProxyInstance(
                            new ClassLoader() {}, new Class<?>[] {Comparable.class}, (proxy, method, arguments) -> 0)
                    .hashCode();
            burn(0.05);
            compiled = clocks.between(begin, clocks.read(), ROLES).compilerNanos();
        }
        CpuSnapshot end = clocks.read();

        CellLog.Use use = clocks.between(begin, end, ROLES);
        assertThat(use.compilerNanos()).isPositive();
        assertThat(clocks.between(begin, end, Map.of(SELF, Role.GENERATOR)).compilerNanos())
                .as("the generator's cost is not ranked")
                .isZero();
        assertThat(use.nanos().get(Role.AGGREGATOR) + use.compilerNanos())
                .isEqualTo(
                        end.processes().get(SELF).threadsSince(begin.processes().get(SELF)));
    }

    /** The planted flaw: a thread that uses a processor for a second, and ends between two readings. */
    @Test
    void findsThatItsSlicesLackWhatAThreadTookWithIt() throws InterruptedException {
        Clocks clocks = new Clocks();
        clocks.watch(List.of(SELF));
        burnInAThread(0.3);
        clocks.begin();
        burn(4.2);
        clocks.read();
        assertThat(clocks.difference(SELF)).isLessThan(0.05);

        burnInAThread(1);
        clocks.read();

        assertThat(clocks.difference(SELF)).isGreaterThan(0.1);
        assertThat(clocks.figures(SELF).sliceDifference()).isEqualTo(clocks.difference(SELF));
    }

    private static void burnInAThread(double seconds) throws InterruptedException {
        Thread thread = new Thread(() -> burn(seconds), BURNER);
        thread.start();
        thread.join();
        // The system's thread ends a little after Java's.
        await().until(() -> Stream.of(Path.of("/proc/self/task").toFile().list())
                .noneMatch(task -> BURNER.equals(Proc.text("self/task/%s/comm".formatted(task))
                        .map(String::strip)
                        .orElse(""))));
    }

    private static void burn(double seconds) {
        var threads = ManagementFactory.getThreadMXBean();
        long end = threads.getCurrentThreadCpuTime() + (long) (seconds * 1e9);
        while (threads.getCurrentThreadCpuTime() < end) {
            Thread.onSpinWait();
        }
    }

    /** As long as a busy machine takes. */
    private static ConditionFactory await() {
        return Awaitility.await().atMost(PATIENCE);
    }
}
