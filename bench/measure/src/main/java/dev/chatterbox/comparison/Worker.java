package dev.chatterbox.comparison;

import dev.chatterbox.processes.ChildEnvironment;
import dev.chatterbox.processes.ChildProcess;
import dev.chatterbox.processes.JavaCommand;
import dev.chatterbox.processes.Lifetime;
import dev.chatterbox.processes.ProcessException;
import dev.chatterbox.results.Role;
import dev.chatterbox.stack.Repository;
import dev.chatterbox.stack.Target;
import dev.chatterbox.workloads.Slice;
import dev.chatterbox.workloads.SliceChannel;
import dev.chatterbox.workloads.SliceResult;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A process that carries out slices for the whole run: the load generator, the bare client of a variant's library, or a
 * program of one-way messages.
 */
final class Worker implements SliceWorker {

    private static final String NO_RESULT = "gave no result of";

    private static final Duration START = Duration.ofSeconds(60);

    /** The longest time for an orderly end. */
    private static final Duration END = Duration.ofSeconds(20);

    private final String name;
    private final String role;
    private final SliceChannel channel;

    /** Null if somebody else started it, on whatever machine. */
    private final @Nullable ChildProcess process;

    private Worker(String name, String role, SliceChannel channel, @Nullable ChildProcess process) {
        this.name = name;
        this.role = role;
        this.channel = channel;
        this.process = process;
    }

    /** A load generator that somebody else has started, and that has come to the bench's port. */
    static Worker come(String name, SliceChannel channel) {
        return new Worker(name, Role.GENERATOR, channel, null);
    }

    /**
     * Starts the load generator, one process for the whole run, so that its JIT is as warm as that of the services.
     *
     * @param address of the aggregator
     * @param users how many users live in it: as many as any slice has, and as an open workload may keep waiting
     * @param suffix the suffix of its name, by which starts are told apart
     */
    static Worker generator(Path loadTests, String address, int users, Path folder, String suffix) {
        List<String> arguments = List.of(
                "@" + loadTests.resolve("jvm.args"),
                "-Dchatterbox.users=" + users,
                "-Dchatterbox.baseUrl=" + address,
                // Seconds between two progress reports of Gatling, which nobody reads here.
                "-Dgatling.data.console.writePeriod=60",
                // No log of each request, and no pages from it: the slices' results have what counts.
                "-Dgatling.data.writers.0=console",
                "-cp",
                classPath(loadTests),
                "io.gatling.app.Gatling",
                "-s",
                "dev.chatterbox.load.ComparisonSimulation");
        return start("generator" + suffix, Role.GENERATOR, ChildEnvironment.builder(JavaCommand.of(arguments)), folder);
    }

    /**
     * Starts a program of a variant.
     *
     * @param suffix the suffix of its name, by which starts are told apart
     */
    static Worker program(String name, Target.Program program, Path folder, String suffix) {
        ProcessBuilder builder = ChildEnvironment.builder(program.command());
        builder.environment().putAll(program.environment());
        return start(name + suffix, Role.CLIENT, builder, folder);
    }

    private static Worker start(String name, String role, ProcessBuilder builder, Path folder) {
        try (SliceChannel.Listener listener = new SliceChannel.Listener()) {
            builder.environment().putAll(listener.environment());
            ChildProcess process = ChildProcess.start(
                    name,
                    builder.directory(folder.toFile()),
                    folder.resolve("logs").resolve(name + ".log"),
                    Lifetime.WITH_PARENT);
            long deadline = System.nanoTime() + START.toNanos();
            Optional<SliceChannel> channel = Optional.empty();
            while (channel.isEmpty() && process.isAlive() && System.nanoTime() < deadline) {
                channel = listener.accept(Duration.ofMillis(500));
            }
            if (channel.isEmpty()) {
                process.stop(Duration.ofSeconds(2));
                throw new ProcessException(
                        "The %s did not start. Its log: %s".formatted(name.replace('-', ' '), process.log()));
            }
            return new Worker(name, role, channel.get(), process);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The class path of load-tests: its jar, the newest if several versions were built, and the jars in its lib. */
    static String classPath(Path loadTests) {
        Path jar = Repository.jar(loadTests, "target/load-tests-*.jar");
        return jar + File.pathSeparator + jar.resolveSibling("lib").resolve("*");
    }

    /** @throws NullPointerException somebody else started it */
    long pid() {
        return Objects.requireNonNull(process, name).pid();
    }

    /** Something that the process is told over its channel. */
    @FunctionalInterface
    interface Order {
        void write(SliceChannel channel) throws IOException;
    }

    /** @throws ProcessException the process is gone */
    void order(Order order, Slice slice) {
        try {
            order.write(channel);
        } catch (IOException e) {
            throw gone(slice, NO_RESULT);
        }
    }

    @Override
    public void begin(Slice slice) {
        order(to -> to.order(slice), slice);
    }

    @Override
    public SliceResult result(Slice slice, Duration patience) {
        try {
            return channel.result(patience).orElseThrow(() -> gone(slice, NO_RESULT));
        } catch (IOException e) {
            throw gone(slice, NO_RESULT);
        }
    }

    /** The failure of a slice, after which the process can take no more. */
    ProcessException gone(Slice slice, String what) {
        return new ProcessException("%s %s the slice %s.%s"
                .formatted(name, what, slice.id(), process == null ? "" : " Its log: " + process.log()));
    }

    @Override
    public Map<Long, String> roles() {
        return Map.of(pid(), role);
    }

    /** Ends the process by SIGKILL. */
    void killNow() {
        if (process != null) {
            process.stop(Duration.ZERO);
        }
    }

    @Override
    public void kill() {
        if (process != null) {
            process.stop(Duration.ofSeconds(2));
        } else {
            closeChannel();
        }
    }

    private void closeChannel() {
        try {
            channel.close();
        } catch (IOException e) {
            // The process ends when it sees the end of its parent, or is stopped.
        }
    }

    /** Lets the process end in order. */
    @Override
    public void close() {
        closeChannel();
        if (process != null) {
            process.endsWithin(END);
            process.stop(Duration.ofSeconds(5));
        }
    }
}
