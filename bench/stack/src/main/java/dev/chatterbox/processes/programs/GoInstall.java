package dev.chatterbox.processes.programs;

import dev.chatterbox.processes.Command;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * A program that {@code go install} builds. Go checks the module's checksum with its public checksum database.
 *
 * @param module the module, or the package in it that is the program; Go names the program by the last part
 * @param version such as {@code v1.2.3}
 */
record GoInstall(String module, String version) implements ProgramSource {

    /** A build takes a minute on two processors, and Go may have to fetch a newer Go first. */
    private static final Duration TIMEOUT = Duration.ofMinutes(10);

    @Override
    public Optional<String> offer(String program, Platform platform) {
        return platform.onPath("go")
                .map(go -> "%s %s, built by `go install` (about a minute, once)".formatted(program, version));
    }

    @Override
    public Path fetch(String program, Platform platform) throws IOException {
        String go = platform.onPath("go").orElseThrow().toString();
        return Cache.fill(platform.cached(program, version), executable(), folder -> {
            ProcessBuilder builder = new ProcessBuilder(go, "install", module + "@" + version);
            builder.environment().put("GOBIN", folder.toString());
            Command.run(TIMEOUT, builder);
        });
    }

    /** The program's name in Go: the last part of the path that is no version. */
    private String executable() {
        return Path.of(module.replaceFirst("/v[0-9]+$", "")).getFileName().toString();
    }
}
