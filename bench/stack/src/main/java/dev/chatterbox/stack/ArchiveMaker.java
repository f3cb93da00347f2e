package dev.chatterbox.stack;

import dev.chatterbox.processes.ChildProcess;
import dev.chatterbox.processes.Lifetime;
import dev.chatterbox.processes.LocalHttp;
import dev.chatterbox.processes.ProcessException;
import dev.chatterbox.processes.programs.Cache;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * The program that makes the archives that are missing for the Java processes of some rows. For each archive it starts
 * one process alone, on ports of its own, and ends it as soon as it answers: no load shapes the archive, and all are
 * made alike. If the program is ended at any moment, it leaves no incomplete archive.
 *
 * @param folder for the files of its processes
 */
record ArchiveMaker(Path folder) {

    /** The limit is long, because the program runs only when no other process wants the processors. */
    private static final Duration PATIENCE = Duration.ofMinutes(20);

    /** Bytes that must be free on disk, before an archive is made and afterwards; one has 40 to 150 MB. */
    private static final long LEAST_DISK = 512L << 20;

    private static final String UNFINISHED = "making-";

    /** @param rows names of the rows */
    public static void main(String[] rows) throws IOException {
        Repository repository = Repository.of(System.getenv());
        Selection selection = Selection.of(repository.rows(), List.of(rows));
        // These offsets are far from those that people choose, and below the ports of outgoing connections.
        IntStream offsets = IntStream.generate(() -> ThreadLocalRandom.current().nextInt(11_000, 22_000));
        int offset =
                StackPlan.free(repository, selection, offsets).orElseThrow().offset();
        Path archives = Files.createDirectories(repository.archiveFolder());
        // A maker that was killed may have left folders; there is never more than one maker.
        Cache.deleteAll(archives, UNFINISHED);
        ArchiveMaker maker = new ArchiveMaker(Files.createTempDirectory(archives, UNFINISHED));
        Runtime.getRuntime().addShutdownHook(new Thread(maker::end, "end"));
        maker.make(StackPlan.of(new Stack(repository, offset, maker.folder), selection));
    }

    /** Kills the process that was started, with its own child processes: nobody wants to wait for an orderly end. */
    private void end() {
        synchronized (ArchiveMaker.class) {
            ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly);
            try {
                Cache.delete(folder);
            } catch (UncheckedIOException e) {
                // A process may still write there; the next maker deletes it.
            }
            // A killed process has written no complete archive, so no other thread may go on.
            Runtime.getRuntime().halt(0);
        }
    }

    private void make(StackPlan plan) throws IOException {
        Stack stack = plan.stack();
        Map<String, Path> jars;
        try (UnpackedJars unpacked = UnpackedJars.open(stack.repository())) {
            jars = unpacked.of(plan.services());
        }
        for (Service service : plan.services()) {
            make(service.archive(stack.repository(), jars), flags -> {
                ChildProcess process = service.start(stack, jars, flags, "", Lifetime.WITH_PARENT);
                // Any answer is enough: a responder without its broker answers that it is not well.
                process.awaitReady(
                        () -> LocalHttp.get(service.port(), service.health()).status() > 0, PATIENCE);
                return process;
            });
        }
        for (PlannedBroker broker : plan.brokers()) {
            make(
                    broker.archive(stack.repository(), jars),
                    // One node of a cluster alone would wait for the others.
                    flags -> broker.alone()
                            .start(folder, Lifetime.WITH_PARENT, process -> {}, flags)
                            .process());
        }
    }

    /**
     * Makes one archive, unless it is there or the disk is almost full.
     *
     * @param file the archive; empty for a program that needs none
     * @param start starts the process with flags besides its own, and returns when it answers
     */
    void make(Optional<Path> file, Function<List<String>, ChildProcess> start) throws IOException {
        if (file.isEmpty() || Files.exists(file.get()) || isDiskFull()) {
            return;
        }
        Path archive = file.get();
        long begin = System.nanoTime();
        Path made = folder.resolve(archive.getFileName());
        try {
            // Java writes the archive when it ends, which takes longer than the end itself.
            start.apply(Archives.recordingFlags(made)).stop(PATIENCE);
        } catch (ProcessException e) {
            // It is tried again after the next start of a stack.
            System.out.println(e.getMessage());
            return;
        }
        synchronized (ArchiveMaker.class) {
            if (isDiskFull()) {
                System.out.printf("%s is not kept, because the disk is almost full.%n", archive);
                Files.deleteIfExists(made);
                return;
            }
            if (!Files.exists(made)) {
                // An empty file says that this JDK writes no archive.
                Files.createFile(made);
            }
            Files.move(made, archive, StandardCopyOption.ATOMIC_MOVE);
            Cache.deleteOthers(archive, Set.of());
        }
        System.out.printf("Made in %.1f s: %s%n", (System.nanoTime() - begin) / 1e9, archive);
    }

    private boolean isDiskFull() {
        return folder.toFile().getUsableSpace() < LEAST_DISK;
    }
}
