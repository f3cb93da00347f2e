package dev.chatterbox.processes;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** What the command {@code ps} shows of a process, where there is no {@code /proc}. */
final class Ps {

    private Ps() {}

    /** @param keyword of POSIX, such as {@code rss} */
    static Optional<String> field(String keyword, long pid) {
        try {
            Process ps = new ProcessBuilder("ps", "-o", keyword + "=", "-p", Long.toString(pid))
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return new String(ps.getInputStream().readAllBytes(), StandardCharsets.US_ASCII)
                    .lines()
                    .findFirst()
                    .map(String::strip);
        } catch (IOException noPs) {
            return Optional.empty();
        }
    }
}
