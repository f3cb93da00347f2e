package dev.chatterbox.processes.programs;

import dev.chatterbox.processes.ProcessException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;

/**
 * Takes a program that is on the machine already.
 *
 * @param advice makes of the program's name what people can do so that it is found; of an empty result nothing
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
     * What an environment variable names.
     *
     * @param wrong the end of the message where it names no program
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
