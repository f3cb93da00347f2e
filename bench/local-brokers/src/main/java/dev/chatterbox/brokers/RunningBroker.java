package dev.chatterbox.brokers;

import dev.chatterbox.processes.ChildProcess;
import dev.chatterbox.processes.ProcessException;
import dev.chatterbox.processes.programs.Cache;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A broker that serves clients on 127.0.0.1. Thread-safe. */
public final class RunningBroker implements AutoCloseable {

    private static final Duration GRACE = Duration.ofSeconds(10);

    private final int port;
    private final Map<String, String> environment;
    private final Supplier<ChildProcess> starter;
    private final List<ChildProcess> companions;
    private ChildProcess process;
    private @Nullable Path temporaryDirectory;

    /** @param companions processes that run already, stay while the broker is killed and restarted, and end in close */
    RunningBroker(
            int port, Map<String, String> environment, Supplier<ChildProcess> starter, List<ChildProcess> companions) {
        this.port = port;
        this.environment = environment;
        this.starter = starter;
        this.companions = companions;
        try {
            this.process = starter.get();
        } catch (RuntimeException e) {
            stopCompanions();
            throw e;
        }
    }

    /** The port that clients connect to. */
    public int port() {
        return port;
    }

    /** The environment variables by which a service finds this broker. */
    public Map<String, String> environment() {
        return environment;
    }

    /** The process; after {@link #kill} or {@link #close} the last one. */
    public synchronized ChildProcess process() {
        return process;
    }

    /** The broker's process, and the processes beside it that it needs. */
    public synchronized List<ChildProcess> processes() {
        return Stream.concat(Stream.of(process), companions.stream()).toList();
    }

    /** Ends the broker as a crash would: SIGKILL, without a last message to clients. Returns when the process is gone. */
    public synchronized void kill() {
        process.stop(Duration.ZERO);
    }

    /**
     * Starts the broker again on the same ports and data. If its process still runs, ends that first.
     *
     * @return this
     * @throws ProcessException the broker did not start
     */
    public synchronized RunningBroker restart() {
        process.stop(GRACE);
        process = starter.get();
        return this;
    }

    /** Ends the broker: SIGTERM, and SIGKILL if it still runs after 10 s. Returns when its processes are gone. */
    @Override
    public synchronized void close() {
        process.stop(GRACE);
        stopCompanions();
        if (temporaryDirectory != null) {
            delete(temporaryDirectory);
            temporaryDirectory = null;
        }
    }

    /** Also closes the broker when the JVM ends in order, because many tests share one broker that no test closes. */
    synchronized RunningBroker deletingWhenClosed(Path directory) {
        temporaryDirectory = directory;
        Runtime.getRuntime().addShutdownHook(new Thread(this::close, "close-" + directory.getFileName()));
        return this;
    }

    private void stopCompanions() {
        companions.forEach(companion -> companion.stop(GRACE));
    }

    private static void delete(Path directory) {
        try {
            Cache.delete(directory);
        } catch (UncheckedIOException e) {
            // A folder left in the system's temporary directory is not worth failing a test for.
            System.getLogger(RunningBroker.class.getName()).log(System.Logger.Level.DEBUG, "left " + directory, e);
        }
    }
}
