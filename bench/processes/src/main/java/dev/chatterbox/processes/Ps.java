package dev.chatterbox.processes;

import java.io.IOException;
import java.util.Optional;

/** What the command {@code ps} shows of a process, where there is no {@code /proc}. */
final class Ps {

    private Ps() {}

    /** @param keyword of POSIX, such as {@code rss} */
    static Optional<String> field(String keyword, long pid) {
        try {
            return Command.run("ps", "-o", keyword + "=", "-p", Long.toString(pid)).lines().findFirst();
        } catch (IOException noPs) {
            return Optional.empty();
        }
    }
}
