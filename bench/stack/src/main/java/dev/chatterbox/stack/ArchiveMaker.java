package dev.chatterbox.stack;

import dev.chatterbox.processes.Cache;
import dev.chatterbox.processes.ChildProcess;
import dev.chatterbox.processes.Lifetime;
import dev.chatterbox.processes.LocalHttp;
import dev.chatterbox.processes.ProcessException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The program that makes the archives that are missing for the Java processes of some rows. Each is made by a start of
 * one process alone, on ports of its own, which ends as soon as it answers: no load shapes the archive, and all are
 * made alike. If the program is ended at any moment, no archive is left that is not whole.
 *
 * @param folder for the files of its processes
 */
record ArchiveMaker(Repository repository, Path folder) {

    /** Long, for the program runs only when nobody else wants the processors. */
    private static final Duration PATIENCE = Duration.ofMinutes(20);

    /** Bytes that must be free on disk, before an archive is made and afterwards; one has 40 to 150 MB. */
    private static final long LEAST_DISK = 512L << 20;

    private static final String UNFINISHED = "making-";

    /** @param rows their names */
    public static void main(String[] rows) throws IOException {
        Repository repository = Repository.of(System.getenv());
        Selection selection = Selection.of(repository.rows(), List.of(rows));
        // Far from the offsets that people choose, and below the ports of outgoing connections.
        IntStream offsets = IntStream.generate(() -> ThreadLocalRandom.current().nextInt(11_000, 22_000));
        int offset =
                StackPlan.free(repository, selection, offsets).orElseThrow().offset();
        try (UnpackedJars jars = UnpackedJars.open(repository)) {
            // Left by a maker that was killed: there is never more than one.
            jars.deleteAll(file -> file.getFileName().toString().startsWith(UNFINISHED));
        }
        Path folder = Files.createTempDirectory(repository.archiveFolder(), UNFINISHED);
        ArchiveMaker maker = new ArchiveMaker(repository, folder);
        Runtime.getRuntime().addShutdownHook(new Thread(maker::end, "end"));
        Stack stack = new Stack(offset, folder);
        maker.make(StackPlan.of(repository, stack, selection), stack);
    }

    /** Kills the process that is started, with those that it started: nobody wants to wait for it to end in order. */
    private void end() {
        synchronized (ArchiveMaker.class) {
            ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly);
            try {
                Cache.delete(folder);
            } catch (IOException e) {
                // A process may still write there; the next maker deletes it.
            }
            // What was killed has written no whole archive, so nothing is to go on.
            Runtime.getRuntime().halt(0);
        }
    }

    private void make(StackPlan plan, Stack stack) throws IOException {
        for (Service service : plan.services()) {
            Optional<Path> built = service.jar(repository);
            if (built.isPresent()) {
                Path jar;
                try (UnpackedJars jars = UnpackedJars.open(repository)) {
                    jar = jars.of(built.get());
                }
                make(UnpackedJars.home(jar), flags -> {
                    ProcessBuilder command = service.command(folder, Optional.of(jar), flags, "");
                    ChildProcess process = ChildProcess.start(
                            service.name(), command, stack.log(service.name()), Lifetime.WITH_PARENT);
                    // Any answer will do: without its broker a responder says that it is not well.
                    process.awaitReady(
                            () -> LocalHttp.get(service.port(), service.health())
                                            .status()
                                    > 0,
                            PATIENCE);
                    return process;
                });
            }
        }
        for (PlannedBroker broker : plan.brokers()) {
            Optional<Path> home = broker.home(repository);
            if (home.isPresent()) {
                make(
                        home.get(),
                        flags -> broker.start(folder, Lifetime.WITH_PARENT, process -> {}, flags)
                                .process());
            }
        }
    }

    /**
     * Makes one archive, unless it is there or the disk is almost full.
     *
     * @param start starts the process with flags besides its own, and returns when it answers
     */
    void make(Path home, Function<List<String>, ChildProcess> start) throws IOException {
        Path file = Archives.file(home);
        if (Files.exists(file) || isDiskFull()) {
            return;
        }
        long begin = System.nanoTime();
        Path made = folder.resolve(file.getFileName());
        try {
            // Java writes the archive when it ends, which takes longer than the end itself.
            start.apply(Archives.recordingFlags(made)).stop(PATIENCE);
        } catch (ProcessException e) {
            // The next start of a stack has it tried again.
            System.out.println(e.getMessage());
            return;
        }
        synchronized (ArchiveMaker.class) {
            if (isDiskFull()) {
                // What was written may not be whole.
                Files.deleteIfExists(made);
            } else {
                put(made, file);
            }
        }
        System.out.printf("An archive in %s was tried for %.1f s.%n", home, (System.nanoTime() - begin) / 1e9);
    }

    /** @param made what the program wrote; where it wrote nothing, an empty file says so */
    private void put(Path made, Path file) throws IOException {
        Path archives = Objects.requireNonNull(file.getParent(), "an archive is in a folder");
        try (UnpackedJars jars = UnpackedJars.open(repository)) {
            jars.forgetOlder(archives);
        }
        Files.createDirectories(archives);
        // That of another JDK goes, for each is larger than the program.
        try (Stream<Path> others = Files.list(archives)) {
            for (Path other : others.filter(Files::isRegularFile).toList()) {
                Files.delete(other);
            }
        }
        if (!Files.exists(made)) {
            Files.createFile(made);
        }
        Files.move(made, file, StandardCopyOption.ATOMIC_MOVE);
    }

    private boolean isDiskFull() {
        return folder.toFile().getUsableSpace() < LEAST_DISK;
    }
}
