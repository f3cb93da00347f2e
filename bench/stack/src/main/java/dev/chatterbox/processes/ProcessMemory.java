package dev.chatterbox.processes;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.Optional;

/** Memory, and what was written to a disk, in bytes, as the system counts it. */
public final class ProcessMemory {

    private ProcessMemory() {}

    /** The memory that a process has in RAM. */
    public static Optional<Long> resident(long pid) {
        return number(pid + "/status", "VmRSS:").map(kilobytes -> kilobytes << 10);
    }

    /** Like {@link #resident}, with a part only of each page that other processes use too. */
    public static Optional<Long> proportional(long pid) {
        return number(pid + "/smaps_rollup", "Pss:").map(kilobytes -> kilobytes << 10);
    }

    /** The memory that can be used without swapping, including caches; at most what the container may have. */
    public static Optional<Long> available() {
        long most = ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getTotalMemorySize();
        return number("meminfo", "MemAvailable:").map(kilobytes -> Math.min(most, kilobytes << 10));
    }

    /**
     * What a process has given to the disk since its start, also what still waits in the system's cache. Only for a
     * process of the same user.
     */
    public static Optional<Long> written(long pid) {
        return number(pid + "/io", "write_bytes:");
    }

    /** The number in a line such as {@code VmRSS:     353012 kB}. */
    private static Optional<Long> number(String file, String key) {
        return Proc.text(file)
                .flatMap(text ->
                        text.lines().filter(line -> line.startsWith(key)).findFirst())
                .map(line -> Long.valueOf(line.replaceAll("\\D", "")));
    }
}
