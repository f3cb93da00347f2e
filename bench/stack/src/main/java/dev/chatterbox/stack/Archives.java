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
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The programs that the Java processes of a stack run, in a form in which they start fast. Each build of a program has
 * a folder: it holds the runnable jar, unpacked, and an {@link Archive}, once an {@link ArchiveMaker} has made it.
 *
 * <p>What lies here is never changed, for a stack may run it while a build replaces the jars that it was made of. Open
 * only while a stack is prepared: nobody else may do so at the same time. Thread-safe.
 */
final class Archives implements AutoCloseable {

    private static final Duration UNPACK_TIMEOUT = Duration.ofMinutes(2);

    private static final String HOME = "home";
    private static final String APPLICATION = "application";

    private final Repository repository;
    private final Path folder;
    private final FileChannel lock;

    private Archives(Repository repository, Path folder, FileChannel lock) {
        this.repository = repository;
        this.folder = folder;
        this.lock = lock;
    }

    static Path folder(Repository repository) {
        return repository.state().resolve("archives");
    }

    /** Waits for another stack that is being prepared. */
    static Archives open(Repository repository) {
        Path folder = folder(repository);
        try {
            Files.createDirectories(folder);
            FileChannel lock =
                    FileChannel.open(folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            lock.lock();
            Archives archives = new Archives(repository, folder, lock);
            // Left by a program that was killed while it unpacked.
            archives.deleteAll(file -> file.getFileName().toString().startsWith("new-"));
            return archives;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The copy of a runnable jar that is to be run. One that was unpacked has its libraries in {@code lib} beside it. */
    Path unpacked(String process, Path jar) {
        try (JarFile file = new JarFile(jar.toFile())) {
            String name = jar.getFileName().toString().replaceFirst("\\.jar$", "");
            Path home = folder.resolve(name + "-" + digest(file.stream().map(Archives::line)));
            if (!Files.exists(home)) {
                boolean boot = file.getEntry("BOOT-INF/") != null;
                Cache.fill(
                        home,
                        HOME,
                        made -> unpack(process, jar, boot, made.resolve(HOME).resolve(APPLICATION)));
                forgetOlder(name, home);
            }
            return home.resolve(APPLICATION).resolve(jar.getFileName());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The contents of an entry, whenever it was built. */
    private static String line(JarEntry entry) {
        return "%s %d %d".formatted(entry.getName(), entry.getSize(), entry.getCrc());
    }

    private void unpack(String process, Path jar, boolean boot, Path application) throws IOException {
        if (!boot) {
            Files.createDirectories(application);
            Files.copy(jar, application.resolve(jar.getFileName()));
            return;
        }
        Path log = repository.state().resolve("logs").resolve("unpack-" + process + ".log");
        List<String> command = JavaCommand.of(List.of(
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Djarmode=tools",
                "-jar",
                jar.toString(),
                "extract",
                "--destination",
                application.toString()));
        ChildProcess unpacking = ChildProcess.start(process, new ProcessBuilder(command), log, Lifetime.WITH_PARENT);
        unpacking.endsWithin(UNPACK_TIMEOUT);
        unpacking.stop(Duration.ZERO);
        if (!Files.exists(application.resolve(jar.getFileName()))) {
            throw new StackException("%s cannot be unpacked; the log is %s".formatted(jar, log));
        }
    }

    /** The archive of an unpacked jar. */
    static Archive of(Path jar) {
        return new Archive(home(jar));
    }

    /** The archive of a program that lies elsewhere. It is another one when the size or the time of a file changes. */
    static Archive of(Repository repository, String process, List<Path> classPath) {
        return new Archive(folder(repository)
                .resolve(process + "-" + digest(classPath.stream().map(Archives::line))));
    }

    private static Path home(Path jar) {
        return jar.resolveSibling("").resolveSibling("");
    }

    private static String line(Path file) {
        try {
            return "%s %d %s".formatted(file, Files.size(file), Files.getLastModifiedTime(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Deletes what earlier builds of a program left, except what a stack may be running. */
    synchronized void forgetOlder(String name, Path newest) throws IOException {
        Set<Path> used = repository.folders().stream()
                .flatMap(stack -> stack.state().jars().values().stream())
                .map(Archives::home)
                .collect(Collectors.toSet());
        deleteAll(home -> home.getFileName().toString().matches("\\Q" + name + "\\E-[0-9a-f]{16}")
                && !home.equals(newest)
                && !used.contains(home));
    }

    private void deleteAll(Predicate<Path> which) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.filter(which).toList()) {
                Cache.delete(file);
            }
        }
    }

    private static String digest(Stream<String> lines) {
        try {
            byte[] text = lines.collect(Collectors.joining("\n")).getBytes(StandardCharsets.UTF_8);
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(text))
                    .substring(0, 16);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every Java has it
        }
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
