package dev.chatterbox.cli;

import dev.chatterbox.stack.Repository;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/** What commands that measure have in common. */
final class Measurements {

    private Measurements() {}

    /** The command line, as a person typed it. */
    static String command(@Nullable CommandSpec spec) {
        return spec == null || spec.root().commandLine().getParseResult() == null
                ? "./chatterbox"
                : ("./chatterbox "
                                + spec.root().commandLine().getParseResult().originalArgs().stream()
                                        .map(Measurements::quoted)
                                        .collect(Collectors.joining(" ")))
                        .strip();
    }

    /** An argument as a person types it. */
    private static String quoted(String argument) {
        return argument.matches("[^\\s;]*") ? argument : "'" + argument + "'";
    }

    /** The folder of the results, if the person names no other one. */
    static Path folder(Repository repository, String name) {
        return repository
                .results()
                .resolve(DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss").format(LocalDateTime.now()) + "-" + name);
    }

    static String readable(double seconds) {
        return seconds < 90 ? "%.0f s".formatted(seconds) : "%.0f min".formatted(Math.ceil(seconds / 60));
    }
}
