package dev.chatterbox.stack;

import dev.chatterbox.processes.ChildProcess;
import dev.chatterbox.processes.JavaCommand;
import dev.chatterbox.processes.Lifetime;
import dev.chatterbox.processes.ProcessException;
import dev.chatterbox.processes.programs.Cache;
import dev.chatterbox.processes.programs.Platform;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Files with the classes that a Java program loads and links at its start: an AOT cache, or before JDK 25 class data to
 * share. Java itself checks whether an archive fits the JDK and the jars, and ignores one that does not. An
 * {@link ArchiveMaker} makes the missing archives, in the background, with the lowest priority. A user has at most one
 * maker for all checkouts: two would take as long, and a measurement must find the one that disturbs it.
 *
 * @param repository the checkout whose stacks use the archives
 * @param folder holds the record of the maker
 */
public record Archives(Repository repository, Path folder) {

    /** JDK 25 and newer write AOT caches (JEP 514). */
    private static final boolean AHEAD_OF_TIME = Runtime.version().feature() >= 25;

    private static final Duration GRACE = Duration.ofSeconds(5);

    public static Archives of(Repository repository) {
        return new Archives(repository, Platform.current().cache().resolve("archives"));
    }

    /**
     * The archive of a program. The file's name depends on the JDK, and on the path, size and time of each jar. The
     * file is empty if this JDK turned out to write no archive, so that nobody tries again.
     *
     * @param classPath of the program; a jar whose manifest names other jars stands for them
     */
    static Path file(Repository repository, String program, List<Path> classPath) {
        String contents = classPath.stream()
                .map(Path::toFile)
                .map(jar -> "%n%s %d %d".formatted(jar, jar.length(), jar.lastModified()))
                .collect(Collectors.joining(
                        "", System.getProperty("java.vm.version"), System.getProperty("java.vm.vendor")));
        return repository.archiveFolder().resolve(Cache.version(program, contents) + (AHEAD_OF_TIME ? ".aot" : ".jsa"));
    }

    /** The flags by which a program starts from its archive; none if the file is missing or empty. */
    static List<String> flags(Path file) {
        return file.toFile().length() == 0
                ? List.of()
                : List.of((AHEAD_OF_TIME ? "-XX:AOTCache=" : "-XX:SharedArchiveFile=") + file);
    }

    /** The flags by which a program writes its archive to a file when it ends. */
    static List<String> recordingFlags(Path file) {
        return List.of((AHEAD_OF_TIME ? "-XX:AOTCacheOutput=" : "-XX:ArchiveClassesAtExit=") + file);
    }

    /**
     * Starts the maker and does not wait for it. Does nothing if archives are not wanted or a maker already runs. Only
     * reports a failure, because nobody depends on archives.
     *
     * @param rows names of the rows whose processes may lack archives
     */
    void start(List<String> rows, Steps steps) {
        if (!repository.archives()) {
            return;
        }
        try (FileChannel lock = Cache.lock(folder.resolve("lock"))) {
            if (maker().isEmpty()) {
                List<String> command = new ArrayList<>();
                Platform.current()
                        .onPath("nice")
                        .ifPresent(nice -> command.addAll(List.of(nice.toString(), "-n", "19")));
                command.addAll(
                        JavaCommand.light("-Xmx64m", System.getProperty("java.class.path"), ArchiveMaker.class, rows));
                ProcessBuilder builder = new ProcessBuilder(command);
                builder.environment().put("CHATTERBOX_HOME", root());
                ChildProcess maker = ChildProcess.start("archives", builder, log(), Lifetime.DETACHED);
                Files.write(record(), List.of(Long.toString(maker.pid()), maker.start(), root()));
                steps.line("Archives for faster starts are being made in the background, one at a time.");
            }
        } catch (IOException | ProcessException e) {
            steps.line("No archives for faster starts are made: " + e.getMessage());
        }
    }

    /** The maker that runs, whichever checkout started it. */
    public Optional<ChildProcess> maker() throws IOException {
        List<String> lines = lines();
        // The record has fewer lines while it is being written.
        return lines.size() < 3
                ? Optional.empty()
                : ChildProcess.find("archives", Long.parseLong(lines.get(0)), lines.get(1), log());
    }

    /** Stops the maker, whichever checkout started it, for instance because something is measured. */
    public Optional<ChildProcess> stop() throws IOException {
        Optional<ChildProcess> maker = maker();
        maker.ifPresent(process -> process.stop(GRACE));
        return maker;
    }

    /** Stops the maker if this checkout started it. */
    public Optional<ChildProcess> stopOwn() throws IOException {
        return lines().contains(root()) ? stop() : Optional.empty();
    }

    private List<String> lines() throws IOException {
        return Files.exists(record()) ? Files.readAllLines(record()) : List.of();
    }

    private String root() {
        return repository.root().toString();
    }

    private Path record() {
        return folder.resolve("maker");
    }

    private Path log() {
        return repository.state().resolve("logs").resolve("archives.log");
    }
}
