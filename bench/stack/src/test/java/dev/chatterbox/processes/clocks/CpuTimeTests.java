package dev.chatterbox.processes.clocks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.chatterbox.processes.JavaCommand;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CpuTimeTests {

    private static final Path TIME = Path.of("/usr/bin/time");

    @TempDir
    Path directory;

    /** An independent measurement: {@code time} asks the kernel how much a child used that has ended (wait4). */
    @Test
    void agreesWithTheTimeCommandOnAProcessOfManyThreads() throws Exception {
        assumeTrue(Files.isExecutable(TIME));
        Path measured = directory.resolve("time");
        List<String> command = new ArrayList<>(List.of(TIME.toString(), "-f", "%U %S", "-o", measured.toString()));
        command.addAll(
                JavaCommand.of(List.of("-Xint", "-cp", System.getProperty("java.class.path"), Burner.class.getName())));
        Process time = new ProcessBuilder(command).start();
        int ready = time.getInputStream().read();
        long pid = time.toHandle().children().findFirst().orElseThrow().pid();

        CpuTime used = CpuTime.of(pid).orElseThrow();
        time.getOutputStream().close();

        assertThat(ready).isEqualTo('.');
        assertThat(time.waitFor()).isZero();
        String[] seconds =
                Files.readString(measured, StandardCharsets.US_ASCII).strip().split(" ");
        double outside = Double.parseDouble(seconds[0]) + Double.parseDouble(seconds[1]);
        double inside = used.process() / 1e9;
        assertThat(outside).isGreaterThan(0.9);
        assertThat(inside).isCloseTo(outside, Percentage.withPercentage(5));
    }

    @Test
    void isExactWhileNoThreadEnds() {
        CpuTime earlier = new CpuTime(1_000_000_000, Map.of("1", 700_000_000L, "2", 300_000_000L));
        CpuTime later = new CpuTime(1_010_000_000, Map.of("1", 703_000_000L, "2", 300_000_000L, "3", 1_234_567L));

        assertThat(later.threadsSince(earlier)).isEqualTo(4_234_567);
    }

    /** macOS shows no threads; 10 and 20 ms are within the error of ticks, so a thread time of 0 would look right. */
    @ParameterizedTest
    @ValueSource(longs = {10_000_000, 20_000_000, 500_000_000})
    void isCoarseWhereThreadsAreNotShown(long used) {
        assertThat(new CpuTime(1_000_000_000 + used, Map.of()).threadsSince(new CpuTime(1_000_000_000, Map.of())))
                .isEqualTo(used);
    }

    @Test
    void knowsNothingOfAProcessThatHasEnded() throws Exception {
        Process process = new ProcessBuilder(JavaCommand.of(List.of("-version"))).start();
        process.waitFor();

        assertThat(CpuTime.of(process.pid())).isEmpty();
    }

    @Test
    void tellsOurLoadFromThatOfOthers() {
        long self = ProcessHandle.current().pid();
        CpuSnapshot earlier = snapshot(0, self, 0, 0);
        int processors = Runtime.getRuntime().availableProcessors();
        CpuSnapshot later = snapshot(10, self, 3, 3 + processors * 2.0);

        assertThat(later.otherLoad(earlier)).isCloseTo(0.2, within(1e-9));
    }

    private static CpuSnapshot snapshot(double seconds, long pid, double used, double busy) {
        return new CpuSnapshot(
                (long) (seconds * 1e9),
                Map.of(pid, new CpuTime((long) (used * 1e9), Map.of())),
                Optional.of(new MachineTime((long) (busy * 1e9), 0)));
    }

    /** Uses about a second of CPU time in three threads, one of which ends; then prints a dot and waits for input. */
    static final class Burner {
        public static void main(String[] args) throws IOException, InterruptedException {
            Thread ending = burning(0.3);
            Thread staying = burning(0.4);
            ending.join();
            staying.join();
            burn(0.4);
            System.out.print('.');
            System.out.flush();
            System.in.read();
            // This skips the JVM's shutdown, which only one of the two measurements would include.
            Runtime.getRuntime().halt(0);
        }

        private static Thread burning(double seconds) {
            Thread thread = new Thread(() -> burn(seconds));
            thread.start();
            return thread;
        }

        private static void burn(double seconds) {
            var threads = ManagementFactory.getThreadMXBean();
            long end = threads.getCurrentThreadCpuTime() + (long) (seconds * 1e9);
            while (threads.getCurrentThreadCpuTime() < end) {
                Thread.onSpinWait();
            }
        }
    }
}
