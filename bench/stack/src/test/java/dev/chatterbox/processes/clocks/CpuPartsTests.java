package dev.chatterbox.processes.clocks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.chatterbox.processes.JavaCommand;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CpuPartsTests {

    /** Measures a process that uses CPU time in its own code, and that collects garbage. */
    @Test
    void tellsWhatAProcessBurnsFromWhatItsCollectorAndItsCompilersDo() throws IOException {
        Process process = new ProcessBuilder(JavaCommand.of(List.of(
                        "-XX:+UseG1GC",
                        "-Xmx64m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Collecting.class.getName())))
                .start();
        try {
            process.getInputStream().read();
            CpuParts parts = CpuParts.of(process.pid());
            CpuTime time = CpuTime.of(process.pid()).orElseThrow();

            assertThat(parts.gc()).isPositive();
            assertThat(parts.jit()).isPositive();
            assertThat(parts.user()).isGreaterThan(0.3);
            assertThat(parts.user() + parts.system())
                    .as("the process's own total")
                    .isCloseTo(time.process() / 1e9, within(0.1))
                    .isGreaterThan(parts.gc() + parts.jit() - 0.05);
            assertThat(CpuParts.of(process.pid()).since(parts).user()).isLessThan(0.2);
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void areNothingOfAProcessThatIsGone() throws Exception {
        Process process = new ProcessBuilder(JavaCommand.of(List.of("-version"))).start();
        process.waitFor();

        assertThat(CpuParts.of(process.pid())).isEqualTo(new CpuParts(0, 0, Map.of(), Map.of()));
    }

    /** HotSpot ends compiler threads that it does not need for a while, such as the load generator's second one. */
    @Test
    void takesNothingFromTheOthersForAThreadThatEnded() {
        CpuParts before = new CpuParts(1, 1, Map.of("11", 800_000_000L, "12", 700_000_000L), Map.of("13", 1L));
        CpuParts after = new CpuParts(2, 1, Map.of("11", 900_000_000L, "14", 50_000_000L), Map.of());

        assertThat(after.since(before))
                .satisfies(parts ->
                        assertThat(parts.jit()).as("12 has ended, 14 is new").isCloseTo(0.15, within(1e-9)))
                .satisfies(parts -> assertThat(parts.gc()).isZero());
    }

    @Test
    void findsTheShareOfTheCompilersOfAllProcesses() {
        CpuParts before = new CpuParts(1, 1, Map.of("11", 800_000_000L), Map.of());
        CpuParts after = new CpuParts(2, 2, Map.of("11", 900_000_000L, "12", 200_000_000L), Map.of());
        long self = ProcessHandle.current().pid();

        assertThat(after.since(before).jitShare()).isCloseTo(0.15, within(1e-9));
        assertThat(after.since(after).jitShare()).as("nothing was done").isEqualTo(1);
        assertThat(new CpuParts(1, 1, Map.of(), Map.of()).jitShare())
                .as("no JVM")
                .isNaN();
        assertThat(CpuParts.of(List.of(self, self)).compilers()).isNotEmpty();
        assertThat(CpuParts.of(List.of(self, self)).total())
                .isGreaterThan(CpuParts.of(self).total());
    }

    /** Computes and allocates for about half a second of CPU time, prints a dot, and waits until it is killed. */
    static final class Collecting {
        public static void main(String[] args) throws IOException {
            byte[][] reachable = new byte[400][];
            var threads = ManagementFactory.getThreadMXBean();
            for (int i = 0; threads.getCurrentThreadCpuTime() < 500_000_000L; i++) {
                reachable[i % reachable.length] = new byte[50_000];
            }
            System.out.print('.');
            System.out.flush();
            System.in.read();
        }
    }
}
