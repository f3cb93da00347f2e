package dev.chatterbox.stack;

import dev.chatterbox.processes.Command;
import dev.chatterbox.processes.JavaCommand;
import dev.chatterbox.processes.programs.Cache;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Consumer;
import java.util.jar.JarFile;
import java.util.stream.Collectors;

/**
 * The copies of runnable jars that stacks run. Each build of a jar has a folder with the unpacked jar: Java
 * starts faster from it than from jars inside a jar. A copy never changes, because a stack may run it while a build
 * replaces the jar.
 */
final class UnpackedJars {

    private static final Duration TIMEOUT = Duration.ofMinutes(2);
    private static final String UNPACKED = "unpacked";

    private UnpackedJars() {}

    /**
     * Copies the jars of parts, and deletes copies that no stack runs. Waits while another stack is prepared.
     *
     * @param record takes the copies by the groups of the parts; before it has returned, no other stack deletes them
     */
    static void copy(Repository repository, List<Part> parts, Consumer<Map<String, Path>> record) {
        Path folder = repository.jarFolder();
        try (FileChannel lock = Cache.lock(folder.resolve("lock"))) {
            // A program that was killed while it unpacked may have left such folders.
            Cache.list(folder).stream()
                    .filter(file -> file.getFileName().toString().startsWith("new-"))
                    .forEach(Cache::delete);
            Map<String, Path> copies = new ConcurrentSkipListMap<>();
            parts.parallelStream().forEach(part -> {
                // The first process of a service has the name that all have in common.
                if (part.name().equals(part.group())) {
                    part.jar()
                            .ifPresent(jar -> copies.put(
                                    part.group(), copy(repository.jar(jar.module(), jar.pattern()), folder)));
                }
            });
            record.accept(copies);
            Set<Path> used = repository.folders().stream()
                    .flatMap(stack -> stack.state().jars().values().stream())
                    .map(copy -> copy.resolveSibling(""))
                    .collect(Collectors.toSet());
            copies.values().forEach(copy -> Cache.deleteOthers(copy.resolveSibling(""), used));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The copy of a jar. The libraries of a Spring Boot jar are in {@code lib} beside the copy. */
    private static Path copy(Path jar, Path folder) {
        String name = jar.getFileName().toString();
        try (JarFile file = new JarFile(jar.toFile())) {
            // The version depends on the contents, and not on the time of the build.
            String contents = file.stream()
                    .map(entry -> "%s %d %d".formatted(entry.getName(), entry.getSize(), entry.getCrc()))
                    .collect(Collectors.joining("\n"));
            boolean boot = file.getEntry("BOOT-INF/") != null;
            Path home = folder.resolve(Cache.version(name, contents));
            if (!Files.exists(home)) {
                Cache.fill(home, UNPACKED, filled -> {
                    Path unpacked = Files.createDirectory(filled.resolve(UNPACKED));
                    if (boot) {
                        unpack(jar, unpacked);
                    } else {
                        Files.copy(jar, unpacked.resolve(name));
                    }
                });
            }
            return home.resolve(name);
        } catch (IOException e) {
            throw new StackException("%s cannot be unpacked: %s".formatted(jar, e.getMessage()));
        }
    }

    private static void unpack(Path jar, Path folder) throws IOException {
        String output = Command.run(
                TIMEOUT,
                JavaCommand.of(List.of(
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Djarmode=tools",
                        "-jar",
                        jar.toString(),
                        "extract",
                        "--force",
                        "--destination",
                        folder.toString())));
        if (!Files.exists(folder.resolve(jar.getFileName()))) {
            throw new IOException(output);
        }
    }
}
