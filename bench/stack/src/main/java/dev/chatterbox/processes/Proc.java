package dev.chatterbox.processes;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** What Linux shows of processes: files in {@code /proc}. */
public final class Proc {

    /** The index among the fields of {@link #stat}: when the process started, in clock ticks since the boot. */
    public static final int START = 22 - 3;

    private static final Path ROOT = Path.of("/proc");

    private Proc() {}

    /** A file below {@code /proc}; empty if there is no such file, or if the process or thread has ended. */
    public static Optional<String> text(String file) {
        try {
            return Optional.of(Files.readString(ROOT.resolve(file), StandardCharsets.ISO_8859_1));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** The fields of the line about a process, from its state on, which is field 3 in proc(5). */
    public static Optional<String[]> stat(long pid) {
        // The line is "pid (command) state …"; the command itself may contain blanks and brackets.
        return text(pid + "/stat")
                .map(stat -> stat.substring(stat.lastIndexOf(')') + 2).split(" "));
    }

    /**
     * When a process started, as a text that distinguishes it from every other process with the same pid: the boot of
     * the system, and the clock tick since the boot. These do not change when somebody sets the
     * clock. An empty text if the process has ended.
     */
    static String start(long pid) {
        return text("sys/kernel/random/boot_id")
                .flatMap(boot -> stat(pid).map(stat -> "boot %s tick %s".formatted(boot.strip(), stat[START])))
                .orElse("");
    }
}
