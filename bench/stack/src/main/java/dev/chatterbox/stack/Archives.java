package dev.chatterbox.stack;

import dev.chatterbox.processes.ChildProcess;
import dev.chatterbox.processes.JavaCommand;
import dev.chatterbox.processes.Lifetime;
import dev.chatterbox.processes.ProcessException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What the Java processes of a stack run, in a form in which they start fast: a runnable jar of Spring Boot is
 * unpacked, once for each build, and beside it lies an archive of the classes that a start loads and links, once for
 * each JDK. The archive is made by a start of the process alone, which ends as soon as it answers: no load shapes it,
 * and it is made alike for every process. Java itself checks whether an archive fits the JDK and the jars, and starts
 * without one that does not.
 *
 * <p>What lies here is never changed, for a stack may run it while a build replaces the jars that it was made of.
 * Open only while a stack is prepared: nobody else may do so at the same time. Thread-safe.
 */
final class Archives implements AutoCloseable {

    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    /** JEP 514; older ones have archives of class data only. */
    private static final boolean AHEAD_OF_TIME = Runtime.version().feature() >= 25;

    /** Half-made folders begin so. */
    private static final String NEW = "new-";

    private static final String APPLICATION = "application";

    private final Repository repository;
    private final Path folder;
    private final FileChannel lock;
    private final Steps steps;
    private final boolean wanted;

    /** Starts a process with flags more than its own, waits until it answers and gives it back. */
    @FunctionalInterface
    interface Training {
        ChildProcess start(List<String> flags, Path folder, Path log);
    }

    private Archives(Repository repository, Path folder, FileChannel lock, Steps steps, boolean wanted) {
        this.repository = repository;
        this.folder = folder;
        this.lock = lock;
        this.steps = steps;
        this.wanted = wanted;
    }

    /**
     * Waits for another stack that is being prepared.
     *
     * @param wanted false prepares without archives, where making them takes longer than they would save
     */
    static Archives open(Repository repository, Steps steps, boolean wanted) {
        Path folder = repository.state().resolve("archives");
        try {
            Files.createDirectories(folder);
            FileChannel lock =
                    FileChannel.open(folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            lock.lock();
            Archives archives = new Archives(repository, folder, lock, steps, wanted);
            archives.deleteAll(file -> file.getFileName().toString().startsWith(NEW));
            return archives;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * The copy of a runnable jar that is to be run. One that was unpacked has its libraries in {@code lib} beside it.
     */
    Path unpacked(String process, Path jar) {
        try (JarFile file = new JarFile(jar.toFile())) {
            String name = jar.getFileName().toString().replaceFirst("\\.jar$", "");
            Path home = folder.resolve(name + "-" + contents(file));
            Path copy = home.resolve(APPLICATION).resolve(jar.getFileName());
            if (!Files.exists(home)) {
                boolean boot = file.getManifest() != null
                        && file.getManifest().getMainAttributes().getValue("Spring-Boot-Version") != null;
                Path unfinished = Files.createTempDirectory(folder, NEW);
                unpack(process, jar, boot, unfinished.resolve(APPLICATION));
                Files.move(unfinished, home, StandardCopyOption.ATOMIC_MOVE);
                forgetOlder(name, home);
            }
            return copy;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Of what the jar holds, whenever it was built: names and checksums, as its directory tells them. */
    private static String contents(JarFile jar) {
        StringBuilder text = new StringBuilder();
        for (JarEntry entry : (Iterable<JarEntry>) jar.stream()::iterator) {
            text.append("%s %d %d%n".formatted(entry.getName(), entry.getSize(), entry.getCrc()));
        }
        return digest(text.toString());
    }

    private void unpack(String process, Path jar, boolean boot, Path application) throws IOException {
        Path copy = application.resolve(jar.getFileName());
        if (boot) {
            List<String> extract = JavaCommand.of(List.of(
                    "-Djarmode=tools", "-jar", jar.toString(), "extract", "--destination", application.toString()));
            ChildProcess unpacking =
                    ChildProcess.start(process, new ProcessBuilder(extract), log(process), Lifetime.WITH_PARENT);
            unpacking.endsWithin(TIMEOUT);
            unpacking.stop(Duration.ZERO);
            if (!Files.exists(copy)) {
                throw new StackException("%s cannot be unpacked; the log is %s".formatted(jar, log(process)));
            }
        } else {
            Files.createDirectories(application);
            Files.copy(jar, copy);
        }
    }

    /**
     * The flags that let a process start from its archive, which is made first where there is none. None where none
     * can be.
     *
     * @param jar what {@link #unpacked} gave
     */
    List<String> flags(String process, Path jar, Training training) {
        return flagsIn(home(jar), process, training);
    }

    /** The same for a program that lies elsewhere: what it is changes with the size or the time of a file. */
    List<String> flags(String process, List<Path> classPath, Training training) {
        try {
            StringBuilder text = new StringBuilder();
            for (Path path : classPath) {
                text.append("%s %d %s%n".formatted(path, Files.size(path), Files.getLastModifiedTime(path)));
            }
            Path home = folder.resolve(process + "-" + digest(text.toString()));
            if (wanted && !Files.exists(home)) {
                Files.createDirectory(home);
                forgetOlder(process, home);
            }
            return flagsIn(home, process, training);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private List<String> flagsIn(Path home, String process, Training training) {
        if (!wanted) {
            return List.of();
        }
        Path archive = home.resolve(jdk() + (AHEAD_OF_TIME ? ".aot" : ".jsa"));
        try {
            if (!Files.exists(archive)) {
                make(archive, process, training);
            }
            // It is empty where none could be made: that is not tried at every start.
            return Files.size(archive) == 0
                    ? List.of()
                    : List.of((AHEAD_OF_TIME ? "-XX:AOTCache=" : "-XX:SharedArchiveFile=") + archive);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void make(Path archive, String process, Training training) throws IOException {
        long since = System.nanoTime();
        steps.progress("… an archive for faster starts of " + process);
        Path unfinished = Files.createTempDirectory(folder, NEW);
        Path made = unfinished.resolve(archive.getFileName());
        try {
            training.start(
                            List.of((AHEAD_OF_TIME ? "-XX:AOTCacheOutput=" : "-XX:ArchiveClassesAtExit=") + made),
                            unfinished,
                            log(process))
                    // Java writes the archive when it ends, which takes longer than the end itself.
                    .stop(TIMEOUT);
        } catch (ProcessException e) {
            // If the process cannot start at all, its real start says so.
            Files.createDirectories(log(process).getParent());
            Files.writeString(
                    log(process), e.getMessage() + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        }
        forgetOtherJdks(archive.resolveSibling(""));
        if (Files.exists(made)) {
            Files.move(made, archive, StandardCopyOption.ATOMIC_MOVE);
            steps.done("archive for " + process, (System.nanoTime() - since) / 1e9);
        } else {
            Files.createFile(archive);
            steps.line(
                    "No archive for faster starts of %s could be made; the log is %s".formatted(process, log(process)));
        }
        delete(unfinished);
    }

    /** Each is larger than the application. */
    private static void forgetOtherJdks(Path home) throws IOException {
        try (Stream<Path> files = Files.list(home)) {
            for (Path other : files.filter(Files::isRegularFile).toList()) {
                Files.delete(other);
            }
        }
    }

    /** What earlier builds of the same left, but for what a stack may be running. */
    private synchronized void forgetOlder(String name, Path newest) throws IOException {
        Set<Path> used = repository.folders().stream()
                .flatMap(stack -> stack.state().jars().values().stream())
                .map(Archives::home)
                .collect(Collectors.toSet());
        deleteAll(home -> home.getFileName().toString().matches("\\Q" + name + "\\E-[0-9a-f]{16}")
                && !home.equals(newest)
                && !used.contains(home));
    }

    /** The folder that holds all of one build: the unpacked application, in which the jar is, and the archives. */
    private static Path home(Path jar) {
        return jar.resolveSibling("").resolveSibling("");
    }

    private Path log(String process) {
        return repository.state().resolve("logs").resolve("archive-" + process + ".log");
    }

    private static String jdk() {
        return (System.getProperty("java.vm.version") + "-" + System.getProperty("java.vm.vendor"))
                .replaceAll("[^\\w.+-]", "_");
    }

    private static String digest(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest).substring(0, 16);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every Java has it
        }
    }

    private void deleteAll(Predicate<Path> which) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.filter(which).toList()) {
                delete(file);
            }
        }
    }

    private static void delete(Path root) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
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
