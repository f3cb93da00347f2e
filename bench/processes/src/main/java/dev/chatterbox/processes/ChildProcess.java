package dev.chatterbox.processes;

import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A process that this program started, now or in an earlier run, with its log file. What its {@link #pid} names is the
 * program itself, not a shell around it, so CPU time and memory are read from it. Thread-safe.
 *
 * @param name what messages call it
 * @param start when it started, as {@link ProcessStart} writes it; with the pid it identifies the process
 * @param log where its output goes
 * @param logStart how many bytes the log held before
 */
public record ChildProcess(String name, ProcessHandle handle, String start, Path log, long logStart) {

    private static final Duration POLL = Duration.ofMillis(50);

    /**
     * A process that is not ready within a second is checked less often: a check may be a request, which makes a slow
     * start slower.
     */
    private static final Duration SLOW_POLL = Duration.ofMillis(200);

    /**
     * The child is exec'd, so it keeps the pid of this shell. Beside it a watcher reads the pipe that only the parent
     * holds open: the end of the parent, however it came, ends the read. The watcher ignores the signals of a
     * terminal's whole process group, which could otherwise end it before the child.
     */
    private static final String WITH_PARENT = """
            exec 3<&0
            (
              trap '' HUP INT TERM
              read -r _ <&3
              kill -TERM $$ || exit
              for second in 1 2 3 4 5; do sleep 1; kill -0 $$ || exit; done
              kill -KILL $$
            ) >/dev/null 2>&1 &
            exec "$@" </dev/null 3<&-
            """;

    /** In a session of its own where the system has the command, so that no signal of this terminal reaches it. */
    private static final String DETACHED = """
            trap '' HUP INT QUIT
            if command -v setsid >/dev/null; then exec setsid "$@" </dev/null; fi
            exec "$@" </dev/null
            """;

    /**
     * Starts a process.
     *
     * @param name what messages call it
     * @param builder its command, environment and working directory; input and output are set here, and the command is
     *     wrapped
     * @param log where its output is appended; the folder is created if absent
     * @throws ProcessException the program or the log cannot be opened
     */
    public static ChildProcess start(String name, ProcessBuilder builder, Path log, Lifetime lifetime) {
        try {
            Files.createDirectories(log.toAbsolutePath().getParent());
            long logStart = Files.exists(log) ? Files.size(log) : 0;
            boolean shell = Files.isExecutable(Path.of("/bin/sh"));
            if (shell) {
                List<String> command = new ArrayList<>(
                        List.of("/bin/sh", "-c", lifetime == Lifetime.DETACHED ? DETACHED : WITH_PARENT, name));
                command.addAll(builder.command());
                builder.command(command);
            }
            Process process = builder.redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                    .start();
            if (!shell && lifetime == Lifetime.WITH_PARENT) {
                Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly, "end-" + name));
            }
            return new ChildProcess(name, process.toHandle(), ProcessStart.of(process.toHandle()), log, logStart);
        } catch (IOException e) {
            throw new ProcessException("%s could not be started: %s".formatted(name, e.getMessage()), e);
        }
    }

    /**
     * Finds a process that an earlier run started.
     *
     * @param start what {@link #start()} was
     * @return empty if it has ended, also when its pid now belongs to a process that started at another time
     */
    public static Optional<ChildProcess> find(String name, long pid, String start, Path log) {
        return ProcessHandle.of(pid)
                .filter(handle -> ProcessStart.matches(handle, start))
                .map(handle -> new ChildProcess(name, handle, start, log, 0))
                .filter(ChildProcess::isAlive);
    }

    public long pid() {
        return handle.pid();
    }

    /** How long it has been running, where the system shows when it started. */
    public Optional<Duration> uptime() {
        return handle.info().startInstant().map(started -> Duration.between(started, Instant.now()));
    }

    /** Whether it runs. A process that has ended but was not yet waited for by its parent ("zombie") does not. */
    public boolean isAlive() {
        // The handle comes last: a zombie may be reaped while its state is read.
        return !isZombie(handle.pid()) && handle.isAlive();
    }

    /** Whether {@link #freeze} stopped it, or a terminal did: it has all that it had, and no processor. */
    public boolean isFrozen() {
        return Proc.stat(handle.pid())
                .map(stat -> stat[0])
                .or(() -> Proc.ps("state", handle.pid()))
                .filter(state -> state.startsWith("T"))
                .isPresent();
    }

    /**
     * Takes its processors away: it keeps its memory, files and connections, and does nothing until {@link #resume}.
     *
     * @throws ProcessException it has ended, or the system knows no such signal
     */
    public void freeze() {
        signal("STOP");
    }

    /**
     * Lets it go on; does nothing to one that is not frozen.
     *
     * @throws ProcessException it has ended, or the system knows no such signal
     */
    public void resume() {
        signal("CONT");
    }

    private void signal(String name) {
        requireAlive();
        try {
            Command.run("/bin/sh", "-c", "kill -%s %d".formatted(name, pid()));
        } catch (IOException e) {
            throw new ProcessException("%s cannot be sent SIG%s: %s".formatted(this, name, e.getMessage()), e);
        }
    }

    /** The CPU time that it has used, where the system shows it. */
    public Optional<Duration> cpuTime() {
        return handle.info().totalCpuDuration();
    }

    /**
     * The last lines that it wrote, without the frames of Java stack traces.
     *
     * @return at most {@code lines} lines; none if nothing can be read
     */
    public List<String> tail(int lines) {
        try (var channel = Files.newByteChannel(log)) {
            channel.position(Math.max(logStart, channel.size() - 64 * 1024));
            String text = new String(Channels.newInputStream(channel).readAllBytes(), StandardCharsets.UTF_8);
            List<String> read = text.lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("\tat ") && !line.startsWith("\t... "))
                    .toList();
            return read.subList(Math.max(0, read.size() - lines), read.size());
        } catch (IOException e) {
            return List.of();
        }
    }

    /**
     * Waits until the check passes. If it does not, or the process ends before, the process is stopped.
     *
     * @param check called every 50 ms on the calling thread; an exception means "not yet"
     * @throws ProcessException the process ended, the time is over or the thread was interrupted
     */
    public void awaitReady(Check check, Duration timeout) {
        await(check, timeout, true);
    }

    /** The same for a process that was there before, and is left running where the check does not pass. */
    public void await(Check check, Duration timeout) {
        await(check, timeout, false);
    }

    private void await(Check check, Duration timeout, boolean stopped) {
        long start = System.nanoTime();
        long deadline = start + timeout.toNanos();
        while (!passes(check)) {
            if (endsWithin(System.nanoTime() - start < TimeUnit.SECONDS.toNanos(1) ? POLL : SLOW_POLL)) {
                throw failure("ended while it was starting");
            }
            if (Thread.currentThread().isInterrupted() || System.nanoTime() > deadline) {
                if (stopped) {
                    stop(Duration.ofSeconds(5));
                }
                throw failure(
                        Thread.currentThread().isInterrupted()
                                ? "was interrupted while it was starting"
                                : "was not ready after %d s".formatted(timeout.toSeconds()));
            }
        }
        // Another process may have answered: the port's owner, while ours was still about to find it taken.
        requireAlive();
    }

    /** @throws ProcessException it has ended */
    public void requireAlive() {
        if (!isAlive()) {
            throw failure("has ended");
        }
    }

    /**
     * Ends the process and waits until it is gone: SIGTERM, and after the grace SIGKILL. Does nothing if it has ended.
     * Windows knows no SIGTERM, so there it is always forced.
     */
    public void stop(Duration grace) {
        if (isAlive() && !grace.isZero()) {
            handle.destroy();
            // A frozen one hears of it only when it goes on.
            if (isFrozen()) {
                resume();
            }
            endsWithin(grace);
        }
        if (isAlive()) {
            handle.destroyForcibly();
            endsWithin(Duration.ofSeconds(10));
        }
    }

    @Override
    public String toString() {
        return "%s (pid %d)".formatted(name, pid());
    }

    /** Whether a process is ready. */
    @FunctionalInterface
    public interface Check {
        boolean passes() throws IOException;
    }

    private static boolean passes(Check check) {
        try {
            return check.passes();
        } catch (IOException notYet) {
            return false;
        }
    }

    private ProcessException failure(String what) {
        List<String> lines = tail(15);
        return new ProcessException(
                lines.isEmpty()
                        ? "%s %s and wrote nothing to %s".formatted(name, what, log)
                        : "%s %s. The last lines of %s:%n  %s".formatted(name, what, log, String.join("\n  ", lines)));
    }

    /** Waits for the end, also when interrupted: a process must not be left half stopped. The interrupt is kept. */
    public boolean endsWithin(Duration duration) {
        long deadline = System.nanoTime() + duration.toNanos();
        boolean interrupted = false;
        try {
            while (isAlive() && System.nanoTime() < deadline) {
                try {
                    handle.onExit().get(Math.min(POLL.toNanos(), deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (TimeoutException | ExecutionException e) {
                    // The loop looks again, because onExit() never completes for a zombie that is not our own child.
                }
            }
            return !isAlive();
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static boolean isZombie(long pid) {
        // While threads remain, what is killed still holds its ports, though its first thread is a zombie already.
        return Proc.stat(pid)
                .filter(stat -> stat[0].equals("Z") && Integer.parseInt(stat[17]) <= 1)
                .isPresent();
    }
}
