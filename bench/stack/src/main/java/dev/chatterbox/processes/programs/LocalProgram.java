package dev.chatterbox.processes.programs;

import dev.chatterbox.processes.ProcessException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;

/**
 * A program that this machine already has.
 *
 * @param advice says for a program's name what people can do so that it is found; an empty text means nothing
 */
record LocalProgram(BiFunction<String, Platform, Optional<Path>> search, UnaryOperator<String> advice)
        implements ProgramSource {

    @Override
    public Optional<Path> present(String program, Platform platform) {
        return search.apply(program, platform);
    }

    @Override
    public Optional<String> advice(String program) {
        return Optional.of(advice.apply(program)).filter(text -> !text.isEmpty());
    }

    /**
     * The program that an environment variable names; empty if the variable is not set.
     *
     * @param wrong the end of the message if the variable names no program
     */
    static Optional<Path> chosen(Platform platform, String variable, UnaryOperator<Path> file, String wrong) {
        String chosen = platform.environment().getOrDefault(variable, "");
        if (chosen.isBlank()) {
            return Optional.empty();
        }
        Path program = file.apply(Path.of(chosen)).toAbsolutePath();
        if (!Platform.isProgram(program)) {
            throw new ProcessException(
                    "%s is set to %s, which is %s. Correct or unset it.".formatted(variable, chosen, wrong));
        }
        return Optional.of(program);
    }
}
