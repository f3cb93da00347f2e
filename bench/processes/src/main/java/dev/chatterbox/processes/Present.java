package dev.chatterbox.processes;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Ways that take what is on the machine already. */
final class Present {

    private Present() {}

    record Variable(String variable) implements ProgramSource {

        @Override
        public Optional<Path> present(String program, Platform platform) {
            String chosen = platform.environment().getOrDefault(variable, "");
            if (chosen.isBlank()) {
                return Optional.empty();
            }
            Path file = Path.of(chosen).toAbsolutePath();
            if (!Platform.isProgram(file)) {
                throw new ProcessException("%s is set to %s, which is not an executable file. Correct or unset it."
                        .formatted(variable, chosen));
            }
            return Optional.of(file);
        }

        @Override
        public Optional<String> advice(String program) {
            return Optional.of("set %s to a %s program".formatted(variable, program));
        }
    }

    record Folder(String variable) implements ProgramSource {

        @Override
        public Optional<Path> present(String program, Platform platform) {
            String chosen = platform.environment().getOrDefault(variable, "");
            if (chosen.isBlank()) {
                return Optional.empty();
            }
            Path file = Path.of(chosen).resolve(platform.executable(program)).toAbsolutePath();
            if (!Platform.isProgram(file)) {
                throw new ProcessException(
                        "%s is set to %s, which is no folder with the program %s. Correct or unset it."
                                .formatted(variable, chosen, program));
            }
            return Optional.of(file);
        }

        @Override
        public Optional<String> advice(String program) {
            return Optional.of("set %s to a folder with the program %s".formatted(variable, program));
        }
    }

    record Installed(List<String> folders) implements ProgramSource {

        @Override
        public Optional<Path> present(String program, Platform platform) {
            return folders.stream()
                    .map(folder -> Path.of(folder).resolve(platform.executable(program)))
                    .filter(Platform::isProgram)
                    .findFirst();
        }
    }

    record OnPath(String packages) implements ProgramSource {

        @Override
        public Optional<Path> present(String program, Platform platform) {
            return platform.onPath(program);
        }

        @Override
        public Optional<String> advice(String program) {
            return Optional.of("put %s on the PATH (%s)".formatted(program, packages));
        }
    }
}
