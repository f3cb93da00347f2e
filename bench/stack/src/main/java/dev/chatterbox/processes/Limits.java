package dev.chatterbox.processes;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What this machine, or the container, lets a stack have, beside memory. */
public final class Limits {

    /** A broker with many connections and topics has that many; a responder has a few hundred. */
    private static final long OPEN_FILES = 4_096;

    /** Threads count. A Java process has about fifty, and a stack of all variants has forty processes. */
    private static final long PROCESSES = 4_096;

    private static final Path CGROUP = Path.of("/sys/fs/cgroup");

    private Limits() {}

    /** What is too little for a stack, in a sentence each that says how to get more; empty if nothing is. */
    public static List<String> lacks() {
        return lacks(Proc::text, CGROUP);
    }

    /**
     * @param proc the text of a file below {@code /proc}
     * @param cgroup where the limits of the container are
     */
    static List<String> lacks(Function<String, Optional<String>> proc, Path cgroup) {
        String limits = proc.apply("self/limits").orElse("");
        Stream<String> pids = Stream.of("pids.max", "pids/pids.max")
                .flatMap(file -> Proc.text(cgroup.resolve(file).toString()).stream())
                .map(String::strip);
        return Stream.of(
                        lack(
                                Stream.of(soft(limits, "open files")),
                                OPEN_FILES,
                                "files may be open in a process",
                                "raise it with: ulimit -n 4096, or --ulimit nofile=4096 for a container"),
                        lack(
                                Stream.concat(Stream.of(soft(limits, "processes")), pids),
                                PROCESSES,
                                "processes and threads may run",
                                "raise it with: ulimit -u 4096, or --pids-limit 4096 for a container"))
                .flatMap(Optional::stream)
                .toList();
    }

    /** The soft limit, which a process has and its children inherit, as {@code /proc} writes it. */
    private static String soft(String limits, String name) {
        Matcher found = Pattern.compile("(?m)^Max " + name + " +(\\w+)").matcher(limits);
        return found.find() ? found.group(1) : "";
    }

    /** @param limits numbers, or other words where there is no limit */
    private static Optional<String> lack(Stream<String> limits, long needed, String what, String cure) {
        return limits.filter(limit -> limit.matches("\\d+"))
                .map(Long::valueOf)
                .min(Long::compare)
                .filter(least -> least < needed)
                .map(least -> "at most %d %s here, and a stack needs %d: %s".formatted(least, what, needed, cure));
    }

    /** Whether a program can be run, or a library be loaded, from the folder for temporary files. */
    public static boolean runsFromTemporaryFolder() {
        try {
            Path file = Files.createTempFile(
                    "chatterbox",
                    "",
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            try {
                return Files.isExecutable(file);
            } finally {
                Files.delete(file);
            }
        } catch (IOException e) {
            return false;
        }
    }
}
