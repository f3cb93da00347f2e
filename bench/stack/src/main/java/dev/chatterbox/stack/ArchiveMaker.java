package dev.chatterbox.stack;

import dev.chatterbox.brokers.Launch;
import dev.chatterbox.processes.Cache;
import dev.chatterbox.processes.ChildProcess;
import dev.chatterbox.processes.Lifetime;
import dev.chatterbox.processes.LocalHttp;
import dev.chatterbox.processes.Ports;
import dev.chatterbox.processes.ProcessException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Makes the archives that the Java processes of some rows lack, one after the other. Each is made by a start of one
 * process alone, on ports of its own, which ends as soon as it answers: no load shapes the archive, and all are made
 * alike. This is a program of its own, which {@link BackgroundArchives} starts and stops; if it is ended at any moment,
 * no archive is left that is not whole.
 */
final class ArchiveMaker {

    /** Long, for the program runs only when nobody else wants the processors. */
    private static final Duration PATIENCE = Duration.ofMinutes(20);

    /** Bytes that must be free on disk, before an archive is made and afterwards; one has 40 to 150 MB. */
    private static final long LEAST_DISK = 512L << 20;

    private static final String UNFINISHED = "making-";

    private final Repository repository;
    private final Path folder;
    private volatile boolean stopped;

    /** Starts a process with flags besides its own, and returns when it answers. */
    @FunctionalInterface
    interface Training {
        ChildProcess start(List<String> flags);
    }

    /** @param folder for the files of this program's processes; it is deleted in the end */
    ArchiveMaker(Repository repository, Path folder) {
        this.repository = repository;
        this.folder = folder;
    }

    /** @param rows their names */
    public static void main(String[] rows) throws IOException {
        Repository repository = Repository.of(System.getenv());
        Files.createDirectories(Archives.folder(repository));
        deleteUnfinished(repository);
        Path folder = Files.createTempDirectory(Archives.folder(repository), UNFINISHED);
        ArchiveMaker maker = new ArchiveMaker(repository, folder);
        Runtime.getRuntime().addShutdownHook(new Thread(maker::stop, "stop-making"));
        maker.make(Selection.of(repository.rows(), List.of(rows)));
    }

    /** Files of a maker that was killed: there is never more than one. */
    static void deleteUnfinished(Repository repository) throws IOException {
        try (Stream<Path> files = Files.list(Archives.folder(repository))) {
            for (Path left : files.filter(file -> file.getFileName().toString().startsWith(UNFINISHED))
                    .toList()) {
                Cache.delete(left);
            }
        }
    }

    /** Kills the process that is started, with those that it started: nobody wants to wait for it to end in order. */
    private void stop() {
        stopped = true;
        ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly);
        try {
            Cache.delete(folder);
        } catch (IOException e) {
            // A process may still write there; the next maker deletes it.
        }
    }

    private void make(Selection selection) throws IOException {
        Stack stack = new Stack(freeOffset(selection), folder);
        StackPlan plan = StackPlan.of(repository, stack, selection);
        Map<String, Path> jars = new LinkedHashMap<>();
        try (Archives archives = Archives.open(repository)) {
            for (Service service : plan.services()) {
                if (service.start() instanceof Service.Start.Jar start) {
                    Path jar = repository.jar(start.module(), start.pattern());
                    jars.put(service.name(), archives.unpacked(service.name(), jar));
                }
            }
        }
        ServiceCommand command = new ServiceCommand(folder, jars, "");
        for (Service service : plan.services()) {
            if (jars.containsKey(service.name())) {
                make(service.name(), Archives.of(jars.get(service.name())), flags -> {
                    ChildProcess process = ChildProcess.start(
                            service.name(),
                            command.of(service, flags),
                            stack.log(service.name()),
                            Lifetime.WITH_PARENT);
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
        for (PlannedBroker planned : plan.brokers()) {
            List<Path> classPath = planned.broker().classPath();
            if (!classPath.isEmpty()) {
                make(
                        planned.name(),
                        Archives.of(repository, planned.name(), classPath),
                        flags -> planned.broker()
                                .start(new Launch(
                                        planned.ports(),
                                        folder,
                                        Lifetime.WITH_PARENT,
                                        process -> {},
                                        flags,
                                        OptionalInt.empty()))
                                .process());
            }
        }
    }

    /** Far from those that people choose, and below the ports of outgoing connections. */
    private int freeOffset(Selection selection) {
        return IntStream.generate(() -> ThreadLocalRandom.current().nextInt(11_000, 22_000))
                .filter(offset -> StackPlan.of(repository, repository.stack(offset), selection).ports().stream()
                        .allMatch(use -> Ports.owner(use.getKey()).isEmpty()))
                .findFirst()
                .orElseThrow();
    }

    /** Makes one archive, unless it is there or the disk is almost full. */
    void make(String process, Archive archive, Training training) throws IOException {
        if (stopped || archive.exists() || isDiskFull()) {
            return;
        }
        long begin = System.nanoTime();
        Path made = folder.resolve(archive.file().getFileName());
        try {
            // Java writes the archive when it ends, which takes longer than the end itself.
            training.start(Archive.recordingFlags(made)).stop(PATIENCE);
        } catch (ProcessException e) {
            // The next start of a stack has it tried again.
            System.out.println(e.getMessage());
            return;
        }
        if (stopped || isDiskFull()) {
            // What was written may not be whole.
            Files.deleteIfExists(made);
            return;
        }
        boolean written = Files.exists(made);
        try (Archives archives = Archives.open(repository)) {
            archives.forgetOlder(process, archive.folder());
            archive.put(made);
        }
        System.out.printf(
                written ? "%s has an archive after %.1f s.%n" : "Of %s this Java wrote no archive within %.1f s.%n",
                process,
                (System.nanoTime() - begin) / 1e9);
    }

    private boolean isDiskFull() {
        return folder.toFile().getUsableSpace() < LEAST_DISK;
    }
}
