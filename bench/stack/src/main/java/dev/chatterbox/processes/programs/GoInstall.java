package dev.chatterbox.processes.programs;

import dev.chatterbox.processes.ChildProcess;
import dev.chatterbox.processes.Lifetime;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A program that {@code go install} builds and that is kept in the cache.
 *
 * @param module the module, or the package in it that is the program
 */
record GoInstall(String module, String version) implements ProgramSource {

    /** A build takes a minute on two processors, and Go may have to fetch a newer Go first. */
    private static final Duration TIMEOUT = Duration.ofMinutes(10);

    @Override
    public Optional<Path> present(String program, Platform platform) {
        return Optional.of(platform.cached(program, version)).filter(Platform::isProgram);
    }

    @Override
    public Optional<String> offer(String program, Platform platform) {
        return platform.onPath("go")
                .map(go -> "%s %s, built by `go install` (about a minute, once)".formatted(program, version));
    }

    @Override
    public Path fetch(String program, Platform platform) throws IOException {
        String go = platform.onPath("go").orElseThrow().toString();
        String executable = built();
        try {
            return Cache.fill(platform.cached(program, version), executable, folder -> {
                ProcessBuilder builder = new ProcessBuilder(go, "install", module + "@" + version);
                builder.environment().put("GOBIN", folder.toString());
                ChildProcess process =
                        ChildProcess.start("go", builder, folder.resolve("go.log"), Lifetime.WITH_PARENT);
                boolean ended = process.endsWithin(TIMEOUT);
                process.stop(Duration.ZERO);
                if (!ended || !Platform.isProgram(folder.resolve(executable))) {
                    throw new IOException(ended ? String.join("\n  ", process.tail(10)) : "not done in " + TIMEOUT);
                }
            });
        } catch (IOException e) {
            throw new IOException("`go install` failed: " + e.getMessage(), e);
        }
    }

    /** The program's name in Go: the last part of the path that is no version. */
    private String built() {
        List<String> parts = List.of(module.split("/"));
        String last = parts.get(parts.size() - 1);
        return last.matches("v[0-9]+") ? parts.get(parts.size() - 2) : last;
    }

    @Override
    public Optional<String> advice(String program) {
        return Optional.of("put Go on the PATH (https://go.dev/dl): it is then built, once");
    }
}
