package dev.chatterbox.processes;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Limits what processes take of memory from now on, the cache of their files included, by a control group of Linux,
 * version 1 or 2. What they have already does not count. Where the limit is not enough, the system ends a process. Not
 * thread-safe.
 */
public final class MemoryLimit implements AutoCloseable {

    private static final Path VERSION_1 = Path.of("/sys/fs/cgroup/memory");
    private static final Path VERSION_2 = Path.of("/sys/fs/cgroup");
    private static final String PROCESSES = "cgroup.procs";

    /** A process that has just ended belongs to its group for a moment. */
    private static final int CLOSING_TRIES = 50;

    private final boolean first = Files.exists(VERSION_1.resolve("memory.limit_in_bytes"));
    private final Path root = first ? VERSION_1 : VERSION_2;
    private final Path group =
            root.resolve("chatterbox-" + ProcessHandle.current().pid());

    /** The groups from which the processes came. */
    private final Map<Long, Path> before = new LinkedHashMap<>();

    private MemoryLimit() {}

    /**
     * Limits processes, all together.
     *
     * @throws IOException this user may not do so, or this system cannot; then nothing is limited
     */
    public static MemoryLimit of(Collection<Long> pids, long bytes) throws IOException {
        MemoryLimit limit = new MemoryLimit();
        Files.createDirectory(limit.group);
        try {
            Files.writeString(
                    limit.group.resolve(limit.first ? "memory.limit_in_bytes" : "memory.max"), Long.toString(bytes));
            limit.forbidSwapping(bytes);
            for (long pid : pids) {
                limit.before.put(pid, limit.groupOf(pid));
                limit.move(pid, limit.group);
            }
            return limit;
        } catch (IOException e) {
            limit.close();
            throw e;
        }
    }

    /** Version 1 counts memory and swap together. Both files are there only where the system counts swap. */
    private void forbidSwapping(long bytes) throws IOException {
        Path swap = group.resolve(first ? "memory.memsw.limit_in_bytes" : "memory.swap.max");
        if (Files.exists(swap)) {
            Files.writeString(swap, first ? Long.toString(bytes) : "0");
        }
    }

    /** Why no process can be limited; empty if it can. */
    public static Optional<String> whyNot() {
        try {
            of(List.of(), 1 << 30).close();
            return Optional.empty();
        } catch (IOException e) {
            return Optional.of("no control group can be made (%s)".formatted(e));
        }
    }

    private Path groupOf(long pid) {
        return Proc.text(pid + "/cgroup")
                .flatMap(text -> text.lines()
                        .filter(line -> first ? line.contains(":memory:") : line.startsWith("0::"))
                        .findFirst())
                .map(line -> root.resolve(line.substring(line.lastIndexOf(':') + 2)))
                .filter(Files::isDirectory)
                .orElse(root);
    }

    private void move(long pid, Path to) throws IOException {
        Files.writeString(to.resolve(PROCESSES), Long.toString(pid));
    }

    /** How many processes the system has ended because the limit was not enough. */
    public long ended() throws IOException {
        return Files.readString(group.resolve(first ? "memory.oom_control" : "memory.events"))
                .lines()
                .filter(line -> line.startsWith("oom_kill "))
                .mapToLong(line -> Long.parseLong(line.substring("oom_kill ".length())))
                .sum();
    }

    /** Ends the limit, and puts the processes back. */
    @Override
    public void close() throws IOException {
        for (Map.Entry<Long, Path> process : before.entrySet()) {
            try {
                move(process.getKey(), process.getValue());
            } catch (IOException e) {
                // The process has ended.
            }
        }
        for (int tries = 1; true; tries++) {
            try {
                Files.delete(group);
                return;
            } catch (IOException e) {
                if (tries == CLOSING_TRIES) {
                    throw e;
                }
                pause();
            }
        }
    }

    private static void pause() throws IOException {
        try {
            TimeUnit.MILLISECONDS.sleep(20);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }
}
