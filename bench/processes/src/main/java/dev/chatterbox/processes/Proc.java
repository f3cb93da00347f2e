package dev.chatterbox.processes;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** What the system shows of processes: files in {@code /proc} on Linux, the command {@code ps} elsewhere. */
public final class Proc {

    private static final Path ROOT = Path.of("/proc");

    private Proc() {}

    /** A file below {@code /proc}; empty where the system has none, or no such process or thread any more. */
    public static Optional<String> text(String file) {
        try {
            return Optional.of(Files.readString(ROOT.resolve(file), StandardCharsets.ISO_8859_1));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** The fields of a process' line from its state on, which proc(5) calls field 3. */
    public static Optional<String[]> stat(long pid) {
        // "pid (command) state …"; the command may hold blanks and brackets itself.
        return text(pid + "/stat")
                .map(stat -> stat.substring(stat.lastIndexOf(')') + 2).split(" "));
    }

    /** @param keyword of POSIX, such as {@code rss} */
    static Optional<String> ps(String keyword, long pid) {
        try {
            return Command.run("ps", "-o", keyword + "=", "-p", Long.toString(pid))
                    .lines()
                    .findFirst();
        } catch (IOException noPs) {
            return Optional.empty();
        }
    }
}
