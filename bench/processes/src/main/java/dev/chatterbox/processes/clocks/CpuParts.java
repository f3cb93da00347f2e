package dev.chatterbox.processes.clocks;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/**
 * What the CPU time of a process was spent on until one moment, in seconds. Linux only: 0 elsewhere, and for a process
 * that is gone.
 *
 * @param user in the program's own code
 * @param system in the kernel on its behalf
 * @param jit by HotSpot's compiler threads that live: it ends those that it does not need for a while
 * @param gc by the threads of its collectors
 */
public record CpuParts(double user, double system, double jit, double gc) {

    private static final CpuParts NONE = new CpuParts(0, 0, 0, 0);

    /** Names of threads, of which Linux shows the first 15 letters. */
    private static final Pattern JIT = Pattern.compile("C[12] Compiler.*");

    private static final Pattern GC = Pattern.compile("GC Thread.*|G1 .*|VM Thread|Z[A-Z].*");

    /** Of {@code /proc/PID/stat}, after the program's name in parentheses. */
    private static final int UTIME = 11;

    private static final double TICKS = 100;

    public static CpuParts of(long pid) {
        Path process = Path.of("/proc", Long.toString(pid));
        try {
            String stat = Files.readString(process.resolve("stat"), StandardCharsets.UTF_8);
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
            double jit = 0;
            double gc = 0;
            try (DirectoryStream<Path> tasks = Files.newDirectoryStream(process.resolve("task"))) {
                for (Path task : tasks) {
                    String name = Files.readString(task.resolve("comm"), StandardCharsets.UTF_8)
                            .strip();
                    if (JIT.matcher(name).matches()) {
                        jit += seconds(task);
                    } else if (GC.matcher(name).matches()) {
                        gc += seconds(task);
                    }
                }
            }
            return new CpuParts(
                    Long.parseLong(fields[UTIME]) / TICKS, Long.parseLong(fields[UTIME + 1]) / TICKS, jit, gc);
        } catch (IOException | DirectoryIteratorException noLinuxOrEnded) {
            return NONE;
        }
    }

    private static double seconds(Path task) throws IOException {
        String text = Files.readString(task.resolve("schedstat"), StandardCharsets.US_ASCII);
        return Long.parseLong(text.substring(0, text.indexOf(' '))) / 1e9;
    }

    /** In between; a part of which threads have ended is at least 0. */
    public CpuParts since(CpuParts earlier) {
        return new CpuParts(
                user - earlier.user,
                system - earlier.system,
                Math.max(0, jit - earlier.jit),
                Math.max(0, gc - earlier.gc));
    }
}
