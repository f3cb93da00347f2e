package dev.chatterbox.control;

import dev.chatterbox.processes.ChildEnvironment;
import dev.chatterbox.processes.ChildProcess;
import dev.chatterbox.processes.JavaCommand;
import dev.chatterbox.processes.Lifetime;
import dev.chatterbox.processes.ProcessException;
import dev.chatterbox.stack.Stack;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The comparison that the live page started; only one can run. It is the command that a person would type, in a process
 * of its own, which ends with this process. Thread-safe.
 */
final class LiveLoad implements AutoCloseable {

    private static final String NAME = "load";
    private static final int LINES = 40;

    /** The comparison writes a report of what was measured, and gives itself forty seconds for that. */
    private static final Duration GRACE = Duration.ofSeconds(45);

    private final Stack stack;
    private final Class<?> main;

    private volatile @Nullable Started started;
    private @Nullable Started stopped;

    private record Started(ChildProcess process, String command, Path folder, long begin) {}

    /**
     * The progress of a load.
     *
     * @param command the command line that a person would type
     * @param seconds since the load began
     * @param lines the last lines that the load wrote
     * @param report the folder of its results, once there is a report
     */
    record Progress(boolean running, String command, double seconds, List<String> lines, Optional<String> report) {}

    LiveLoad(Stack stack, Class<?> main) {
        this.stack = stack;
        this.main = main;
    }

    /** @throws ProcessException a load runs already */
    synchronized void start(LoadRequest request) {
        if (started != null && started.process.isAlive()) {
            throw new ProcessException("A load runs already. Stop it first, or wait for its end.");
        }
        String name = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss").format(LocalDateTime.now()) + "-live";
        Path folder = stack.repository().results().resolve(name);
        List<String> command = new ArrayList<>(request.command());
        if (stack.offset() != 0) {
            command.add("--port-offset=" + stack.offset());
        }
        List<String> arguments = new ArrayList<>(command);
        arguments.add("--out=" + folder);
        ProcessBuilder builder = ChildEnvironment.builder(
                JavaCommand.light("-Xmx128m", System.getProperty("java.class.path"), main, arguments));
        builder.environment().put("CHATTERBOX_HOME", stack.repository().root().toString());
        // The load prints no colours and no progress, whatever terminal the stack was started from.
        builder.environment().put("CHATTERBOX_TTY", "0");
        started = new Started(
                ChildProcess.start(NAME, builder, stack.log(NAME), Lifetime.WITH_PARENT),
                String.join(" ", command),
                folder,
                System.nanoTime());
    }

    /** Begins to end the load, and keeps what was measured. Does nothing if no load runs or if it is already ending. */
    synchronized void stop() {
        Started current = started;
        if (current != null && current != stopped) {
            stopped = current;
            Thread thread = new Thread(() -> current.process.stop(GRACE), "stop-load");
            thread.setDaemon(true);
            thread.start();
        }
    }

    /** Empty if no load was started yet. */
    synchronized Optional<Progress> progress() {
        if (started == null) {
            return Optional.empty();
        }
        boolean running = started.process.isAlive();
        return Optional.of(new Progress(
                running,
                "./chatterbox " + started.command,
                (System.nanoTime() - started.begin) / 1e9,
                started.process.tail(LINES),
                !running && Files.exists(started.folder.resolve("report.html"))
                        ? Optional.of(started.folder.getFileName().toString())
                        : Optional.empty()));
    }

    /** Ends the load, and returns when its process is gone. */
    @Override
    public void close() {
        Started current = started;
        if (current != null) {
            current.process.stop(GRACE);
        }
    }
}
