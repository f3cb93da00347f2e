package dev.chatterbox.cli;

import dev.chatterbox.processes.ChildProcess;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One running system and its files.
 *
 * @param offset what is added to every port
 * @param directory holds {@code logs/}, each broker's folder, the jars that run and the state
 */
record Stack(int offset, Path directory) {

    private static final String ENVIRONMENT = "environment.properties";

    int port(int port) {
        long moved = (long) port + offset;
        if (moved < 1 || moved > 65_535) {
            throw new CliException(
                    ExitCode.WRONG_USAGE,
                    "--port-offset %d moves port %d to %d; ports are 1 to 65535.".formatted(offset, port, moved));
        }
        return (int) moved;
    }

    /** How to call a command for this stack. */
    String command(String name) {
        return "./chatterbox " + name + (offset == 0 ? "" : " --port-offset " + offset);
    }

    Path logs() {
        return directory.resolve("logs");
    }

    Path log(String name) {
        return logs().resolve(name + ".log");
    }

    /** The recorded processes, whether or not they still run. */
    List<Member> members() {
        try {
            return Files.exists(state())
                    ? Files.readAllLines(state()).stream()
                            .flatMap(line -> Member.ofLine(line).stream())
                            .toList()
                    : List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Optional<ChildProcess> process(Member member) {
        return ChildProcess.find(member.name(), member.pid(), member.started(), log(member.name()));
    }

    synchronized void record(Member member) {
        try {
            Files.writeString(state(), member.toLine() + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Keeps what the services were told, for those that are started later. */
    void recordEnvironment(Map<String, String> environment) {
        Properties properties = new Properties();
        properties.putAll(environment);
        try (Writer file = Files.newBufferedWriter(directory.resolve(ENVIRONMENT))) {
            properties.store(file, null);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What was recorded so; empty for a stack that is not yet up. */
    Map<String, String> environment() {
        Properties properties = new Properties();
        if (Files.exists(directory.resolve(ENVIRONMENT))) {
            try (Reader file = Files.newBufferedReader(directory.resolve(ENVIRONMENT))) {
                properties.load(file);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return properties.stringPropertyNames().stream()
                .collect(Collectors.toMap(name -> name, properties::getProperty));
    }

    /** The copy of a module's runnable jar that runs here. */
    Path jar(Path built) {
        return directory.resolve("jars").resolve(built.getFileName());
    }

    /** Forgets the processes and deletes all but the logs: every run starts with empty brokers, as comparisons need it. */
    void forget() {
        // First the state, which is what counts.
        delete(state());
        delete(directory, logs());
    }

    /** Deletes all that an earlier run left. */
    void clear() {
        forget();
        delete(logs());
    }

    private void delete(Path root, Path... except) {
        if (!Files.exists(root)) {
            return;
        }
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file : (Iterable<Path>) files.sorted(Comparator.reverseOrder())::iterator) {
                if (!file.equals(directory)
                        && !file.equals(lockFile())
                        && Stream.of(except).noneMatch(file::startsWith)) {
                    Files.delete(file);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Makes this the only command that starts or stops this stack. The system gives the lock back however this JVM ends.
     *
     * @throws CliException another one is at work
     */
    Lock lock() {
        try {
            Files.createDirectories(directory);
            FileChannel channel = FileChannel.open(lockFile(), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            FileLock lock = channel.tryLock();
            if (lock == null) {
                channel.close();
                throw new CliException(
                        "Another ./chatterbox is starting or stopping this stack. Wait for it, or end it with Ctrl-C.");
            }
            return channel::close;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    interface Lock extends AutoCloseable {
        @Override
        void close() throws IOException;
    }

    private Path lockFile() {
        return directory.resolve("lock");
    }

    private Path state() {
        return directory.resolve("processes.tsv");
    }
}
