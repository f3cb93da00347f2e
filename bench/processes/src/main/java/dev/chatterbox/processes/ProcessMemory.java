package dev.chatterbox.processes;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/** ProcessMemory in bytes, as the system counts it. */
public final class ProcessMemory {

    private ProcessMemory() {}

    /** What a process has in RAM. */
    public static Optional<Long> resident(long pid) {
        Path proc = Path.of("/proc", Long.toString(pid), "status");
        return Files.exists(proc) ? kilobytes(proc, "VmRSS:") : residentFromPs(pid);
    }

    /** What can be used without swapping, caches included. Linux only. */
    public static Optional<Long> available() {
        return kilobytes(Path.of("/proc/meminfo"), "MemAvailable:");
    }

    /** A line such as {@code VmRSS:     353012 kB}. */
    private static Optional<Long> kilobytes(Path file, String key) {
        try (Stream<String> lines = Files.lines(file)) {
            return lines.filter(line -> line.startsWith(key))
                    .map(line -> Long.parseLong(line.replaceAll("\\D", "")) << 10)
                    .findFirst();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static Optional<Long> residentFromPs(long pid) {
        return Ps.field("rss", pid).map(kilobytes -> Long.parseLong(kilobytes) << 10);
    }
}
