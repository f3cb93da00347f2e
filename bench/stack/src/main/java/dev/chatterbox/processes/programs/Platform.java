package dev.chatterbox.processes.programs;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The machine on which programs are looked for, a Linux.
 *
 * @param environment its environment variables
 * @param processor its kind, as in Java's property os.arch
 */
public record Platform(Map<String, String> environment, String processor) {

    /** The machine that this JVM runs on. */
    public static Platform current() {
        return new Platform(System.getenv(), System.getProperty("os.arch"));
    }

    /** A program by its name, in the first folder of the PATH that has it. */
    public Optional<Path> onPath(String program) {
        return Stream.of(environment.getOrDefault("PATH", "").split(File.pathSeparator))
                .filter(folder -> !folder.isBlank())
                .map(folder -> Path.of(folder).resolve(program).toAbsolutePath())
                .filter(Platform::isProgram)
                .findFirst();
    }

    /** This user's folder for everything that is fetched or made once for all checkouts. */
    public Path cache() {
        String cache = environment.getOrDefault("XDG_CACHE_HOME", "");
        Path home = cache.isBlank() ? Path.of(System.getProperty("user.home"), ".cache") : Path.of(cache);
        return home.resolve("chatterbox");
    }

    /** The file in the cache for a version of a program. */
    Path cached(String program, String version) {
        return cache().resolve(program + "-" + version);
    }

    /** The end of an archive's name in releases for this machine, such as {@code linux-amd64.tar.gz}. */
    String archive() {
        String name = switch (processor) {
            case "x86_64" -> "amd64";
            case "aarch64" -> "arm64";
            case "arm" -> "arm6"; // runs on 7 too
            default -> processor;
        };
        return "linux-" + name + ".tar.gz";
    }

    static boolean isProgram(Path file) {
        return Files.isRegularFile(file) && Files.isExecutable(file);
    }
}
