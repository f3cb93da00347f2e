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
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The {@link ArchiveMaker} in the background, with the lowest priority and at most one at a time for all checkouts of
 * a user: two would take as long, and a measurement must find the one that disturbs it.
 *
 * @param repository whose stacks lack archives
 * @param folder holds a record of the maker
 */
public record BackgroundArchives(Repository repository, Path folder) {

    private static final Duration GRACE = Duration.ofSeconds(5);

    public static BackgroundArchives of(Repository repository) {
        return new BackgroundArchives(repository, Platform.current().cache().resolve("archives"));
    }

    /**
     * Starts the making and does not wait for it. Does nothing where archives are not wanted, or some are being made. A
     * failure is reported and no more than that, for nobody needs archives.
     *
     * @param rows their names
     */
    void start(List<String> rows, Steps steps) {
        if (!repository.archives()) {
            return;
        }
        try {
            Files.createDirectories(folder);
            try (FileChannel lock =
                    FileChannel.open(folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
                lock.lock();
                if (!isAtWork()) {
                    record(launch(rows));
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
        command.addAll(JavaCommand.of(List.of(
                "-Xmx64m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                ArchiveMaker.class.getName())));
        command.addAll(rows);
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("CHATTERBOX_HOME", repository.root().toString());
        return ChildProcess.start("archives", builder, log(), Lifetime.DETACHED);
    }

    private Path log() {
        return repository.state().resolve("logs").resolve("archives.log");
    }

    /** Whether archives are being made, for whatever checkout. */
    public boolean isAtWork() throws IOException {
        return maker(checkout -> true).isPresent();
    }

    /** Stops the making for whatever checkout, for instance because something is measured. */
    public Optional<ChildProcess> stop() throws IOException {
        return stop(checkout -> true);
    }

    /** Stops the making for this checkout. */
    public Optional<ChildProcess> stopOwn() throws IOException {
        return stop(repository.root().toString()::equals);
    }

    /** @return what was stopped */
    private Optional<ChildProcess> stop(Predicate<String> checkout) throws IOException {
        Optional<ChildProcess> maker = maker(checkout);
        maker.ifPresent(process -> process.stop(GRACE));
        return maker;
    }

    Optional<ChildProcess> maker(Predicate<String> checkout) throws IOException {
        if (!Files.exists(record())) {
            return Optional.empty();
        }
        List<String> lines = Files.readAllLines(record());
        return checkout.test(lines.get(2))
                ? ChildProcess.find("archives", Long.parseLong(lines.get(0)), lines.get(1), log())
                : Optional.empty();
    }

    private void record(ChildProcess maker) throws IOException {
        Path unfinished = Files.write(
                record().resolveSibling("maker.new"),
                List.of(
                        Long.toString(maker.pid()),
                        maker.start(),
                        repository.root().toString()));
        Files.move(unfinished, record(), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private Path record() {
        return folder.resolve("maker");
    }
}
