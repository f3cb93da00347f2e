package dev.chatterbox.processes;

import java.util.Optional;

/** Memory in bytes, as the system counts it. */
public final class ProcessMemory {

    private ProcessMemory() {}

    /** What a process has in RAM. */
    public static Optional<Long> resident(long pid) {
        return kilobytes(pid + "/status", "VmRSS:")
                .or(() -> Proc.ps("rss", pid).map(Long::valueOf))
                .map(kilobytes -> kilobytes << 10);
    }

    /** What can be used without swapping, caches included. Linux only. */
    public static Optional<Long> available() {
        return kilobytes("meminfo", "MemAvailable:").map(kilobytes -> kilobytes << 10);
    }

    /** A line such as {@code VmRSS:     353012 kB}. */
    private static Optional<Long> kilobytes(String file, String key) {
        return Proc.text(file)
                .flatMap(text ->
                        text.lines().filter(line -> line.startsWith(key)).findFirst())
                .map(line -> Long.valueOf(line.replaceAll("\\D", "")));
    }
}
