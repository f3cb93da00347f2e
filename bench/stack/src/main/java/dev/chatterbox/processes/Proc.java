package dev.chatterbox.processes;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What Linux shows of processes: files in {@code /proc}. */
public final class Proc {

    /** The index among the fields of {@link #stat}: when the process started, in clock ticks since the boot. */
    public static final int START = 22 - 3;

    private static final Path ROOT = Path.of("/proc");

    private Proc() {}

    /**
     * The text of a file; empty if there is no such file, or if its process or thread has ended.
     *
     * @param file below {@code /proc}, unless it begins with a slash
     */
    public static Optional<String> text(String file) {
        return Io.ifPossible(() -> Files.readString(ROOT.resolve(file), StandardCharsets.ISO_8859_1));
    }

    /** The names of what is in a folder of a process, such as {@code fd}; empty if it has ended, or hides them. */
    public static List<String> entries(long pid, String folder) {
        String[] names =
                ROOT.resolve(Long.toString(pid)).resolve(folder).toFile().list();
        return names == null ? List.of() : List.of(names);
    }

    /** The fields of the line about a process, from its state on, which is field 3 in proc(5). */
    public static Optional<String[]> stat(long pid) {
        // The line is "pid (command) state …"; the command itself may contain blanks and brackets.
        return text(pid + "/stat")
                .map(stat -> stat.substring(stat.lastIndexOf(')') + 2).split(" "));
    }

    /**
     * The arguments of a process, without the program; empty if they cannot be read. ProcessHandle gives up on command
     * lines longer than a page, such as one with a broker's class path.
     */
    public static List<String> arguments(long pid) {
        return list(pid + "/cmdline").skip(1).toList();
    }

    /** A variable in the environment with which a process was started. */
    public static Optional<String> variable(long pid, String name) {
        return list(pid + "/environ")
                .filter(variable -> variable.startsWith(name + "="))
                .map(variable -> variable.substring(name.length() + 1))
                .findFirst();
    }

    private static Stream<String> list(String file) {
        return text(file).stream()
                .map(text -> new String(text.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8))
                .flatMap(text -> Stream.of(text.split("\0")));
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
