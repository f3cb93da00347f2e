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
 * A process that this program started, now or in an earlier run, with its log file. The {@link #pid} is that of the
 * program itself and not of a shell around it, so CPU time and memory are read from it. Thread-safe.
 *
 * @param name the name in messages
 * @param start when the process started, as {@link Proc#start} writes it; start and pid identify the process
 * @param log the file for its output
 * @param logStart the size of the log, in bytes, before the start
 */
public record ChildProcess(String name, ProcessHandle handle, String start, Path log, long logStart) {

    private static final Duration POLL = Duration.ofMillis(50);

    /**
     * The pause between checks after the first second. A check may be a request, so frequent checks would make a slow
     * start slower.
     */
    private static final Duration SLOW_POLL = Duration.ofMillis(200);

    private static final Duration SIGNAL_TIMEOUT = Duration.ofSeconds(30);

    /**
     * The child is exec'd, so it has the pid of this shell. Beside it, a watcher reads a pipe that only the parent
     * holds open: when the parent ends, for any reason, the read ends. The watcher ignores the signals that a terminal
     * sends to a whole process group, because these could otherwise end it before the child.
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

    /** The child has its own session, so that no signal of this terminal reaches it. */
    private static final String DETACHED = """
            trap '' HUP INT QUIT
            exec setsid "$@" </dev/null
            """;

    /**
     * Starts a process.
     *
     * @param name the name in messages
     * @param builder its command, environment and working directory; this method sets input and output, and wraps the
     *     command
     * @param log the file to which its output is appended; the folder is created if absent
     * @throws ProcessException the program cannot be started, or the log cannot be opened
     */
    public static ChildProcess start(String name, ProcessBuilder builder, Path log, Lifetime lifetime) {
        try {
            Files.createDirectories(log.toAbsolutePath().getParent());
            long logStart = Files.exists(log) ? Files.size(log) : 0;
            List<String> command = new ArrayList<>(
                    List.of("/bin/sh", "-c", lifetime == Lifetime.DETACHED ? DETACHED : WITH_PARENT, name));
            command.addAll(builder.command());
            Process process = builder.command(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                    .start();
            return new ChildProcess(name, process.toHandle(), Proc.start(process.pid()), log, logStart);
        } catch (IOException e) {
            throw new ProcessException("%s could not be started: %s".formatted(name, e.getMessage()), e);
        }
    }

    /**
     * Finds a process that an earlier run started.
     *
     * @param start the value of {@link #start()} in the earlier run
     * @return empty if the process has ended, even if its pid now belongs to a process that started at another time
     */
    public static Optional<ChildProcess> find(String name, long pid, String start, Path log) {
        return ProcessHandle.of(pid)
                .filter(handle -> !start.isEmpty() && start.equals(Proc.start(pid)))
                .map(handle -> new ChildProcess(name, handle, start, log, 0))
                .filter(ChildProcess::isAlive);
    }

    public long pid() {
        return handle.pid();
    }

    /** The time since its start; empty if it has ended. */
    public Optional<Duration> uptime() {
        return handle.info().startInstant().map(started -> Duration.between(started, Instant.now()));
    }

    /** Whether it runs. A process that has ended, but for which its parent has not yet waited ("zombie"), does not. */
    public boolean isAlive() {
        // The handle is asked last, because a zombie may be reaped while its state is read.
        return !isZombie(handle.pid()) && handle.isAlive();
    }

    /** Whether {@link #freeze} or a terminal stopped it: it has all its resources, but gets no processor time. */
    public boolean isFrozen() {
        return Proc.stat(handle.pid()).filter(stat -> stat[0].startsWith("T")).isPresent();
    }

    /**
     * Stops it by a signal: it keeps its memory, files and connections, and does nothing until {@link #resume}.
     *
     * @throws ProcessException the process has ended
     */
    public void freeze() {
        signal("STOP");
    }

    /**
     * Lets a frozen process go on; does nothing to another process.
     *
     * @throws ProcessException the process has ended
     */
    public void resume() {
        signal("CONT");
    }

    private void signal(String name) {
        requireAlive();
        try {
            Command.run(SIGNAL_TIMEOUT, List.of("/bin/sh", "-c", "kill -%s %d".formatted(name, pid())));
        } catch (IOException e) {
            throw new ProcessException("%s cannot be sent SIG%s: %s".formatted(this, name, e.getMessage()), e);
        }
    }

    /** The CPU time that it has used; empty if it has ended. */
    public Optional<Duration> cpuTime() {
        return handle.info().totalCpuDuration();
    }

    /**
     * The last lines that it wrote, without the stack frames of Java exceptions.
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
     * Waits until the check passes. Stops the process if the time ends before, or if the thread is interrupted.
     *
     * @param check called on the calling thread, every 50 ms and later every 200 ms; an exception means "not yet"
     * @throws ProcessException the process ended, the time is over or the thread was interrupted
     */
    public void awaitReady(Io.Action<Boolean> check, Duration timeout) {
        try {
            await(check, timeout);
        } catch (ProcessException e) {
            stop(Duration.ofSeconds(5));
            throw e;
        }
    }

    /** Waits until the check passes. Unlike {@link #awaitReady}, it never stops the process. */
    public void await(Io.Action<Boolean> check, Duration timeout) {
        long start = System.nanoTime();
        long deadline = start + timeout.toNanos();
        while (!Io.ifPossible(check).orElse(false)) {
            if (endsWithin(System.nanoTime() - start < TimeUnit.SECONDS.toNanos(1) ? POLL : SLOW_POLL)) {
                throw failure("ended while it was starting");
            }
            if (Thread.currentThread().isInterrupted()) {
                throw failure("was interrupted while it was starting");
            }
            if (System.nanoTime() > deadline) {
                throw failure("was not ready after %d s".formatted(timeout.toSeconds()));
            }
        }
        // Another process may have answered: the owner of the port, before ours has found the port taken.
        requireAlive();
    }

    /** @throws ProcessException the process has ended */
    public void requireAlive() {
        if (!isAlive()) {
            throw failure("has ended");
        }
    }

    /**
     * Ends the process and waits until it is gone: SIGTERM, and after the grace SIGKILL. Does nothing if it has ended.
     */
    public void stop(Duration grace) {
        if (isAlive() && !grace.isZero()) {
            handle.destroy();
            // A frozen process gets the signal only when it goes on.
            try {
                if (isFrozen()) {
                    resume();
                }
                endsWithin(grace);
            } catch (ProcessException e) {
                // On a full disk it cannot be resumed; SIGKILL ends a frozen process too.
            }
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

    private ProcessException failure(String what) {
        List<String> lines = tail(15);
        return new ProcessException(
                lines.isEmpty()
                        ? "%s %s and wrote nothing to %s".formatted(name, what, log)
                        : "%s %s. The last lines of %s:%n  %s".formatted(name, what, log, String.join("\n  ", lines)));
    }

    /**
     * Waits for the end, even when interrupted: a process must not be left half stopped. The interrupt is kept.
     *
     * @return whether the process has ended
     */
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
                    // The loop checks again, because onExit() never completes for a zombie that is not our own child.
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
        // While other threads run, a killed process still holds its ports: only its first thread is a zombie.
        return Proc.stat(pid)
                .filter(stat -> stat[0].equals("Z") && Integer.parseInt(stat[17]) <= 1)
                .isPresent();
    }
}
