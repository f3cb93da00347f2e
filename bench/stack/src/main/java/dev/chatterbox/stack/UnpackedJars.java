package dev.chatterbox.stack;

import dev.chatterbox.processes.Cache;
import dev.chatterbox.processes.ChildProcess;
import dev.chatterbox.processes.JavaCommand;
import dev.chatterbox.processes.Lifetime;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The copies of runnable jars that stacks run. Each build of a jar has a folder, its home, in which the jar lies
 * unpacked: Java cannot archive classes of jars in a jar. A copy is never changed, for a stack may run it while a build
 * replaces the jar. Open only while a stack is prepared: nobody else may do so at the same time. Thread-safe.
 */
final class UnpackedJars implements AutoCloseable {

    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    private static final String HOME = "home";
    private static final String APPLICATION = "application";

    private final Repository repository;
    private final FileChannel lock;

    private UnpackedJars(Repository repository, FileChannel lock) {
        this.repository = repository;
        this.lock = lock;
    }

    /** Waits for another stack that is being prepared. */
    static UnpackedJars open(Repository repository) {
        try {
            Path file = Files.createDirectories(repository.archiveFolder()).resolve("lock");
            FileChannel lock = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            lock.lock();
            UnpackedJars jars = new UnpackedJars(repository, lock);
            // Left by a program that was killed while it unpacked.
            jars.deleteAll(home -> name(home).startsWith("new-"));
            return jars;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The copy of a jar. Where the jar is one of Spring Boot, its libraries are in {@code lib} beside the copy. */
    Path of(Path jar) {
        try (JarFile file = new JarFile(jar.toFile())) {
            // The contents count, whenever they were built.
            Stream<String> entries =
                    file.stream().map(entry -> "%s %d %d".formatted(entry.getName(), entry.getSize(), entry.getCrc()));
            Path home = home(repository, name(jar).replaceFirst("\\.jar$", ""), entries);
            if (!Files.exists(home)) {
                boolean boot = file.getEntry("BOOT-INF/") != null;
                Cache.fill(home, HOME, made -> {
                    Path application =
                            Files.createDirectories(made.resolve(HOME).resolve(APPLICATION));
                    if (boot) {
                        unpack(jar, application);
                    } else {
                        Files.copy(jar, application.resolve(jar.getFileName()));
                    }
                });
                forgetOlder(home);
            }
            return home.resolve(APPLICATION).resolve(jar.getFileName());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void unpack(Path jar, Path application) {
        Path log = repository.state().resolve("logs").resolve("unpack-" + name(jar) + ".log");
        List<String> command = JavaCommand.of(List.of(
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Djarmode=tools",
                "-jar",
                jar.toString(),
                "extract",
                "--force",
                "--destination",
                application.toString()));
        ChildProcess unpacking =
                ChildProcess.start("unpacking", new ProcessBuilder(command), log, Lifetime.WITH_PARENT);
        unpacking.endsWithin(TIMEOUT);
        unpacking.stop(Duration.ZERO);
        if (!Files.exists(application.resolve(jar.getFileName()))) {
            throw new StackException("%s cannot be unpacked; the log is %s".formatted(jar, log));
        }
    }

    /** The home of a copy. */
    static Path home(Path copy) {
        return copy.resolveSibling("").resolveSibling("");
    }

    /** A home for a program that lies elsewhere; another one when the size or the time of a file changes. */
    static Path home(Repository repository, String program, List<Path> classPath) {
        return home(
                repository,
                program,
                classPath.stream()
                        .map(Path::toFile)
                        .map(file -> "%s %d %d".formatted(file, file.length(), file.lastModified())));
    }

    private static Path home(Repository repository, String program, Stream<String> contents) {
        byte[] text = contents.collect(Collectors.joining("\n")).getBytes(StandardCharsets.UTF_8);
        return repository.archiveFolder().resolve(program + "-" + UUID.nameUUIDFromBytes(text));
    }

    /** Deletes the homes of earlier builds of a program, except those of what a stack may be running. */
    synchronized void forgetOlder(Path newest) throws IOException {
        Set<Path> used = repository.folders().stream()
                .flatMap(stack -> stack.state().jars().values().stream())
                .map(UnpackedJars::home)
                .collect(Collectors.toSet());
        deleteAll(home -> program(home).equals(program(newest)) && !home.equals(newest) && !used.contains(home));
    }

    private static String program(Path home) {
        return name(home).replaceFirst("-[0-9a-f-]{36}$", "");
    }

    void deleteAll(Predicate<Path> which) throws IOException {
        try (Stream<Path> homes = Files.list(repository.archiveFolder())) {
            for (Path home : homes.filter(which).toList()) {
                Cache.delete(home);
            }
        }
    }

    private static String name(Path file) {
        return file.getFileName().toString();
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
