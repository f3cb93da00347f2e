package dev.chatterbox.processes.programs;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** A way to fetch a {@link Program}, which is then kept in the cache. Immutable. */
sealed interface ProgramSource permits GoInstall, Download {

    String version();

    /** One line for people that says what {@link #fetch} would do; empty if it cannot fetch the program here. */
    Optional<String> offer(String program, Platform platform);

    /**
     * Gets the program into the cache. Two processes may do so at once.
     *
     * @throws IOException it did not work; the message begins with what was tried
     */
    Path fetch(String program, Platform platform) throws IOException;
}
