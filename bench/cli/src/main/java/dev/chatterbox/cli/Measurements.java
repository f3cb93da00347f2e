package dev.chatterbox.cli;

import dev.chatterbox.stack.Repository;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/** What commands that measure have in common. */
final class Measurements {

    private Measurements() {}

    /** The command line, as a person typed it. */
    static String command(@Nullable CommandSpec spec) {
        CommandSpec program = Objects.requireNonNull(spec).root();
        List<String> arguments = program.commandLine().getParseResult().originalArgs();
        return ("./chatterbox " + arguments.stream().map(Measurements::quoted).collect(Collectors.joining(" ")))
                .strip();
    }

    /** An argument as a person types it. */
    private static String quoted(String argument) {
        return argument.matches("[^\\s;]*") ? argument : "'" + argument + "'";
    }

    /** The folder of the results. */
    static Path folder(Repository repository, @Nullable Path out, String name) {
        String time = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss").format(LocalDateTime.now());
        Path folder = out != null ? out : repository.results().resolve(time + "-" + name);
        return folder.toAbsolutePath().normalize();
    }

    /** "0.2 s", "1 m 01 s", "25 h 05 m" */
    static String readable(double seconds) {
        Duration duration = Duration.ofMillis(Math.round(seconds * 1000));
        if (duration.toHours() > 0) {
            return "%d h %02d m".formatted(duration.toHours(), duration.toMinutesPart());
        }
        return duration.toMinutes() > 0
                ? "%d m %02d s".formatted(duration.toMinutes(), duration.toSecondsPart())
                : "%d.%d s".formatted(duration.toSeconds(), duration.toMillisPart() / 100);
    }
}
