package dev.chatterbox.brokers;

import dev.chatterbox.processes.ChildProcess;
import dev.chatterbox.processes.ProcessException;
import dev.chatterbox.processes.programs.Cache;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A broker, or a cluster of nodes, that serves clients on 127.0.0.1. Thread-safe. */
public final class RunningBroker implements AutoCloseable {

    private final List<RunningNode> nodes;
    private final Map<String, String> environment;
    private @Nullable Path temporaryDirectory;

    RunningBroker(List<RunningNode> nodes, Map<String, String> environment) {
        this.nodes = List.copyOf(nodes);
        this.environment = environment;
    }

    /** The nodes of a cluster in the order of their numbers; otherwise the only one. */
    public List<RunningNode> nodes() {
        return nodes;
    }

    /** The port of the first node that clients connect to. */
    public int port() {
        return nodes.get(0).port();
    }

    /** The environment variables by which a service finds this broker. */
    public Map<String, String> environment() {
        return environment;
    }

    /** The process of the first node; after {@link #kill} or {@link #close} the last one. */
    public ChildProcess process() {
        return nodes.get(0).process();
    }

    /** The processes of all nodes, and the processes beside them that they need. */
    public List<ChildProcess> processes() {
        return nodes.stream().flatMap(node -> node.processes().stream()).toList();
    }

    /** Ends all nodes as a crash would: SIGKILL, without a last message to clients. Returns when they are gone. */
    public synchronized void kill() {
        nodes.forEach(RunningNode::kill);
    }

    /**
     * Starts all nodes again on the same ports and data. Ends those first whose processes still run.
     *
     * @return this
     * @throws ProcessException a node did not start
     */
    public synchronized RunningBroker restart() {
        forEachNode(RunningNode::restart);
        return this;
    }

    /** Ends the broker: SIGTERM, and SIGKILL if it still runs after 10 s. Returns when its processes are gone. */
    @Override
    public synchronized void close() {
        forEachNode(RunningNode::close);
        if (temporaryDirectory != null) {
            delete(temporaryDirectory);
            temporaryDirectory = null;
        }
    }

    /** All at the same time, because a node waits for the others. */
    private void forEachNode(Consumer<RunningNode> action) {
        Broker.together(nodes, node -> {
            action.accept(node);
            return node;
        });
    }

    /** Also closes the broker when the JVM ends in order, because many tests share one broker that no test closes. */
    synchronized RunningBroker deletingWhenClosed(Path directory) {
        temporaryDirectory = directory;
        Runtime.getRuntime().addShutdownHook(new Thread(this::close, "close-" + directory.getFileName()));
        return this;
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
