package dev.chatterbox.processes.programs;

import dev.chatterbox.processes.ProcessException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A program of another project that this program starts. It is looked for in this order: where an environment variable
 * says, in folders, and in the cache. If it is in none of them, the sources that can fetch it are tried in their order.
 *
 * @param name of the executable file
 * @param variable the environment variable that names the file, or the folder with the file
 * @param folders where packages put it; {@link #PATH} among them stands for the folders of the PATH
 * @param packages how people install it, such as {@code Debian: apt install golang}
 * @param platform the machine on which it is looked for
 */
public record Program(
        String name,
        String variable,
        List<String> folders,
        String packages,
        List<ProgramSource> sources,
        Platform platform) {

    /** Stands for the folders of the PATH. */
    public static final String PATH = "PATH";

    /** A program that is fetched from nowhere. */
    public static Program of(String name, String variable, String packages, String... folders) {
        return new Program(name, variable, List.of(folders), packages, List.of(), Platform.current());
    }

    /** The same program, which Go builds if Go is on the PATH; that takes about a minute the first time. */
    public Program built(String module, String version) {
        return from(new GoInstall(module, version));
    }

    /** The same program, also from a release's archive; the parameters are those of {@link Download}. */
    public Program downloaded(String version, String size, String address, Map<String, String> sha256) {
        return from(new Download(version, size, address, sha256, Duration.ofMinutes(15)));
    }

    Program from(ProgramSource source) {
        List<ProgramSource> all = new ArrayList<>(sources);
        all.add(source);
        return new Program(name, variable, folders, packages, all, platform);
    }

    /** The same program on another machine. */
    public Program on(Platform machine) {
        return new Program(name, variable, folders, packages, sources, machine);
    }

    /**
     * One line for people that says which program will run, or how it will be obtained.
     *
     * @throws ProcessException no source has the program for this machine, or the user chose a file that is no program
     */
    public String origin() {
        return present()
                .map(Path::toString)
                .or(() -> sources.stream()
                        .flatMap(source -> source.offer(name, platform).stream())
                        .findFirst())
                .orElseThrow(() -> missing(""));
    }

    /**
     * Finds or fetches the program. Fetching may take minutes the first time.
     *
     * @return an executable file
     * @throws ProcessException no source works; the message lists what was tried, and what would help
     */
    public Path obtain() {
        return present().orElseGet(this::fetch);
    }

    private Optional<Path> present() {
        String chosen = platform.environment().getOrDefault(variable, "");
        if (!chosen.isBlank()) {
            Path file = Path.of(chosen).toAbsolutePath();
            Path program = Files.isDirectory(file) ? file.resolve(name) : file;
            if (!Platform.isProgram(program)) {
                throw new ProcessException(
                        "%s is set to %s, which is no executable file, and no folder with the program %s. Correct or unset it."
                                .formatted(variable, chosen, name));
            }
            return Optional.of(program);
        }
        Stream<Path> found = folders.stream()
                .flatMap(folder -> folder.equals(PATH)
                        ? platform.onPath(name).stream()
                        : Stream.of(Path.of(folder).resolve(name)));
        return Stream.concat(found, sources.stream().map(source -> platform.cached(name, source.version())))
                .filter(Platform::isProgram)
                .findFirst();
    }

    private Path fetch() {
        StringBuilder tried = new StringBuilder();
        for (ProgramSource source : sources) {
            if (source.offer(name, platform).isPresent()) {
                try {
                    return source.fetch(name, platform);
                } catch (IOException e) {
                    tried.append("%n%s".formatted(e.getMessage()));
                }
            }
        }
        throw missing(tried.toString());
    }

    private ProcessException missing(String tried) {
        boolean built = sources.stream().anyMatch(GoInstall.class::isInstance);
        return new ProcessException("""
                %2$s is not on this platform.%1$s
                Any one of these gives it:
                  - set %3$s to a %2$s program, or to its folder
                  - put %2$s on the PATH (%4$s)%5$s""".formatted(
                        tried,
                        name,
                        variable,
                        packages,
                        built ? "\n  - put Go on the PATH (https://go.dev/dl): it is then built, once" : ""));
    }
}
