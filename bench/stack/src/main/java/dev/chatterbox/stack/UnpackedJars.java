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
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The copies of runnable jars that stacks run. Each build of a jar has a folder with the unpacked jar: Java
 * starts faster from it than from jars inside a jar. A copy never changes, because a stack may run it while a build
 * replaces the jar. An object is open only while a stack is prepared, and only one at a time can be open. Thread-safe.
 */
final class UnpackedJars implements AutoCloseable {

    private static final Duration TIMEOUT = Duration.ofMinutes(2);
    private static final String UNPACKED = "unpacked";

    private final Repository repository;
    private final FileChannel lock;

    private UnpackedJars(Repository repository, FileChannel lock) {
        this.repository = repository;
        this.lock = lock;
    }

    /** Waits until no other stack is being prepared. */
    static UnpackedJars open(Repository repository) {
        try {
            UnpackedJars jars = new UnpackedJars(
                    repository, Cache.lock(repository.jarFolder().resolve("lock")));
            // A program that was killed while it unpacked may have left such folders.
            Cache.deleteAll(repository.jarFolder(), "new-");
            return jars;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The copies of the jars of services, by the name that a service's processes share. */
    Map<String, Path> of(List<Service> services) {
        Map<String, Path> copies = new ConcurrentSkipListMap<>();
        services.parallelStream()
                .filter(service -> service.replica() == 1)
                .forEach(service -> service.jar(repository).ifPresent(jar -> copies.put(service.program(), of(jar))));
        return copies;
    }

    /** The copy of a jar. The libraries of a Spring Boot jar are in {@code lib} beside the copy. */
    Path of(Path jar) {
        String name = jar.getFileName().toString();
        try (JarFile file = new JarFile(jar.toFile())) {
            // The version depends on the contents, and not on the time of the build.
            String contents = file.stream()
                    .map(entry -> "%s %d %d".formatted(entry.getName(), entry.getSize(), entry.getCrc()))
                    .collect(Collectors.joining("\n"));
            Path home = repository.jarFolder().resolve(Cache.version(name, contents));
            if (!Files.exists(home)) {
                boolean boot = file.getEntry("BOOT-INF/") != null;
                Cache.fill(home, UNPACKED, folder -> {
                    Path unpacked = Files.createDirectory(folder.resolve(UNPACKED));
                    if (boot) {
                        unpack(jar, unpacked);
                    } else {
                        Files.copy(jar, unpacked.resolve(name));
                    }
                });
                synchronized (this) {
                    Cache.deleteOthers(home, used());
                }
            }
            return home.resolve(name);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void unpack(Path jar, Path folder) {
        List<String> flags = List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Djarmode=tools", "-jar");
        List<String> arguments = List.of(jar.toString(), "extract", "--force", "--destination", folder.toString());
        try {
            String output = Command.run(
                    TIMEOUT,
                    JavaCommand.of(
                            Stream.concat(flags.stream(), arguments.stream()).toList()));
            if (!Files.exists(folder.resolve(jar.getFileName()))) {
                throw new IOException(output);
            }
        } catch (IOException e) {
            throw new StackException("%s cannot be unpacked: %s".formatted(jar, e.getMessage()));
        }
    }

    /** The folders of the copies that a stack may be running. */
    private Set<Path> used() {
        return repository.folders().stream()
                .flatMap(stack -> stack.state().jars().values().stream())
                .map(copy -> copy.resolveSibling(""))
                .collect(Collectors.toSet());
    }

    @Override
    public void close() {
        try {
            lock.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
