package dev.chatterbox.stack;

import dev.chatterbox.processes.Io;
import dev.chatterbox.processes.ProcessException;
import dev.chatterbox.processes.programs.Cache;
import dev.chatterbox.variants.ResponderProgram;
import dev.chatterbox.variants.Variant;
import dev.chatterbox.variants.Variants;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.attribute.FileTime;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The checkout that the commands work in. Its files are looked for again each time, so that every command has a new
 * variant.
 *
 * @param furtherVariants a folder with more variants than those of the checkout
 */
public record Repository(Path root, Optional<Path> furtherVariants) {

    public static final String AGGREGATOR = "aggregator-service";

    /**
     * The environment variable that names the folder with further variants, for the commands and for the aggregator.
     */
    static final String VARIANTS = "CHATTERBOX_VARIANTS";

    /** The checkout of the script that started this program, or else the working directory. */
    public static Repository of(Map<String, String> environment) {
        return new Repository(
                Path.of(environment.getOrDefault("CHATTERBOX_HOME", "")).toAbsolutePath(),
                Optional.ofNullable(environment.get(VARIANTS))
                        .filter(folder -> !folder.isBlank())
                        .map(folder -> Path.of(folder).toAbsolutePath()));
    }

    /** @throws ProcessException the folder is no checkout */
    public Variants variants() {
        Path folder = root.resolve("variants");
        if (!Files.isDirectory(folder)) {
            throw new ProcessException(
                    "There is no folder variants in %s: set CHATTERBOX_HOME to a checkout of Chatterbox."
                            .formatted(root));
        }
        return Variants.read(
                Stream.concat(Stream.of(folder), furtherVariants.stream()).toArray(Path[]::new));
    }

    /** The program of a variant's responder. */
    ResponderProgram program(Variant.Responder responder) {
        return ResponderProgram.read(root.resolve(responder.program()));
    }

    /**
     * The newest file that matches, because several versions may have been built.
     *
     * @param pattern below the module's folder, as {@code target/name-*.jar}
     * @throws ProcessException no file matches
     */
    public static Path jar(Path module, String pattern) {
        Path path = module.resolve(pattern);
        PathMatcher matcher = path.getFileSystem().getPathMatcher("glob:" + path.getFileName());
        return Cache.list(path.resolveSibling("")).stream()
                .filter(file -> matcher.matches(file.getFileName()))
                .max(Comparator.comparing(Repository::built))
                .orElseThrow(() -> new ProcessException("%s is not built: there is no %s. Run: mvn -DskipTests package"
                        .formatted(module.getFileName(), pattern)));
    }

    /**
     * Spring Boot gives every jar the time of the pom's outputTimestamp, so its own time does not say when it was
     * built.
     */
    private static FileTime built(Path jar) {
        return (FileTime) Io.unchecked(() -> Files.getAttribute(jar, "unix:ctime"));
    }

    /** The class path of the bare clients: their driver and the client libraries; empty if they are not built. */
    Optional<String> rawClients() {
        Path target = root.resolve("bench/clients/target");
        Path jar = target.resolve("clients.jar");
        return Files.exists(jar)
                ? Optional.of(jar + File.pathSeparator + target.resolve("lib").resolve("*"))
                : Optional.empty();
    }

    public Path loadTests() {
        return root.resolve("load-tests");
    }

    /** The folder of the presets. */
    public Path presets() {
        return root.resolve("bench/workloads/presets");
    }

    /** The folder of the published claims. */
    public Path claims() {
        return root.resolve("bench/workloads/claims");
    }

    /** The folder with a folder for each comparison. */
    public Path results() {
        return state().resolve("results");
    }

    /** The folder for everything that the commands write. */
    Path state() {
        return root.resolve(".chatterbox");
    }

    public Stack stack(int offset) {
        return new Stack(this, offset, state().resolve("stack-" + offset));
    }

    /** The stacks that were started and not yet stopped, by offset. */
    public List<Stack> stacks() {
        return Cache.list(state()).stream()
                .map(path -> path.getFileName().toString())
                .filter(name -> name.matches("stack-(0|-?[1-9][0-9]{0,4})"))
                .map(name -> stack(Integer.parseInt(name.substring("stack-".length()))))
                .filter(stack -> !stack.members().isEmpty())
                .sorted(Comparator.comparing(Stack::offset))
                .toList();
    }
}
