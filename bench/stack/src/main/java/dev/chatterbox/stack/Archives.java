package dev.chatterbox.stack;

import dev.chatterbox.processes.ChildProcess;
import dev.chatterbox.processes.JavaCommand;
import dev.chatterbox.processes.Lifetime;
import dev.chatterbox.processes.Platform;
import dev.chatterbox.processes.ProcessException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The classes that a start of a Java program loads and links, as this JDK archives them in the program's home: an AOT
 * cache, or before JDK 25 class data to share. Java itself checks whether an archive fits the JDK and the jars, and
 * starts without one that does not. An {@link ArchiveMaker} makes what is missing, in the background, with the lowest
 * priority, and at most one at a time for all checkouts of a user: two would take as long, and a measurement must find
 * the one that disturbs it.
 *
 * @param repository whose stacks use them
 * @param folder holds a record of the maker
 */
public record Archives(Repository repository, Path folder) {

    /** JEP 514. */
    private static final boolean AHEAD_OF_TIME = Runtime.version().feature() >= 25;

    private static final Duration GRACE = Duration.ofSeconds(5);

    public static Archives of(Repository repository) {
        return new Archives(repository, Platform.current().cache().resolve("archives"));
    }

    /** An archive; empty where this JDK turned out to write none, so that nobody tries again. */
    static Path file(Path home) {
        String jdk = (System.getProperty("java.vm.version") + "-" + System.getProperty("java.vm.vendor"))
                .replaceAll("[^\\w.+-]", "_");
        return home.resolve(jdk + (AHEAD_OF_TIME ? ".aot" : ".jsa"));
    }

    /** The flags by which a program starts from its archive; none where there is none. */
    static List<String> flags(Path home) {
        Path file = file(home);
        return file.toFile().length() == 0
                ? List.of()
                : List.of((AHEAD_OF_TIME ? "-XX:AOTCache=" : "-XX:SharedArchiveFile=") + file);
    }

    /** The flags by which a program writes its archive to a file when it ends. */
    static List<String> recordingFlags(Path file) {
        return List.of((AHEAD_OF_TIME ? "-XX:AOTCacheOutput=" : "-XX:ArchiveClassesAtExit=") + file);
    }

    /**
     * Starts the making and does not wait for it. Does nothing where archives are not wanted, or some are being made. A
     * failure is reported and no more than that, for nobody needs archives.
     *
     * @param rows names of those for whose processes archives may be missing
     */
    void start(List<String> rows, Steps steps) {
        if (!repository.archives()) {
            return;
        }
        try {
            Path file = Files.createDirectories(folder).resolve("lock");
            try (FileChannel lock = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
                lock.lock();
                if (maker().isEmpty()) {
                    ChildProcess maker = launch(rows);
                    String checkout = repository.root().toString();
                    Files.write(record(), List.of(Long.toString(maker.pid()), maker.start(), checkout));
                    steps.line("Archives for faster starts are being made in the background, one at a time.");
                }
            }
        } catch (IOException | ProcessException e) {
            steps.line("No archives for faster starts are made: " + e.getMessage());
        }
    }

    private ChildProcess launch(List<String> rows) {
        List<String> command = new ArrayList<>();
        Platform.current().onPath("nice").ifPresent(nice -> command.addAll(List.of(nice.toString(), "-n", "19")));
        String classPath = System.getProperty("java.class.path");
        command.addAll(JavaCommand.of(List.of(
                "-Xmx64m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                classPath,
                ArchiveMaker.class.getName())));
        command.addAll(rows);
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("CHATTERBOX_HOME", repository.root().toString());
        return ChildProcess.start("archives", builder, log(), Lifetime.DETACHED);
    }

    /** The process that makes archives, for whatever checkout. */
    public Optional<ChildProcess> maker() throws IOException {
        List<String> lines = Files.exists(record()) ? Files.readAllLines(record()) : List.of();
        // Fewer where the record is just being written.
        return lines.size() < 3
                ? Optional.empty()
                : ChildProcess.find("archives", Long.parseLong(lines.get(0)), lines.get(1), log());
    }

    /** Stops the making for whatever checkout, for instance because something is measured. */
    public Optional<ChildProcess> stop() throws IOException {
        Optional<ChildProcess> maker = maker();
        maker.ifPresent(process -> process.stop(GRACE));
        return maker;
    }

    /** Stops the making for this checkout. */
    public Optional<ChildProcess> stopOwn() throws IOException {
        return maker().isPresent()
                        && Files.readAllLines(record())
                                .contains(repository.root().toString())
                ? stop()
                : Optional.empty();
    }

    private Path record() {
        return folder.resolve("maker");
    }

    private Path log() {
        return repository.state().resolve("logs").resolve("archives.log");
    }
}
