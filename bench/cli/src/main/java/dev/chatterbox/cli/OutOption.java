package dev.chatterbox.cli;

import dev.chatterbox.stack.Repository;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option that names the folder for results. */
final class OutOption {

    @Option(names = "--out", paramLabel = "DIR", description = "Results folder (default: in .chatterbox/results).")
    private @Nullable Path out;

    /**
     * The folder, absolute.
     *
     * @param name of what is measured
     */
    Path folder(Repository repository, String name) {
        String time = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss").format(LocalDateTime.now());
        Path folder = out != null ? out : repository.results().resolve(time + "-" + name);
        return folder.toAbsolutePath().normalize();
    }
}
