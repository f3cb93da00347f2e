package dev.chatterbox.brokers;

import dev.chatterbox.processes.ChildProcess;
import dev.chatterbox.processes.Lifetime;
import dev.chatterbox.processes.ProcessException;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** A process of a broker that a test started: the broker itself, or a node of a cluster. Thread-safe. */
public final class RunningNode {

    private final Node node;
    private final Supplier<ChildProcess> starter;

    /** They stay while the node is killed and restarted. */
    private final List<ChildProcess> companions;

    private ChildProcess process;

    RunningNode(Node node) {
        this.node = node;
        Broker broker = node.broker();
        Launch launch = new Launch(node, Lifetime.WITH_PARENT, process -> {});
        starter = () -> broker.startProcess(launch);
        broker.prepare(node);
        companions = broker.companions(launch);
        try {
            process = starter.get();
        } catch (RuntimeException e) {
            stopCompanions();
            throw e;
        }
    }

    /** The port that clients connect to. */
    public int port() {
        return node.port("client");
    }

    Node node() {
        return node;
    }

    /** The process; after {@link #kill} or {@link #stop} the last one. */
    public synchronized ChildProcess process() {
        return process;
    }

    /** The node's process, and the processes beside it that it needs. */
    synchronized List<ChildProcess> processes() {
        return Stream.concat(Stream.of(process), companions.stream()).toList();
    }

    /** Ends the node as a crash would: SIGKILL, without a last message to anybody. Returns when the process is gone. */
    public synchronized void kill() {
        process.stop(Duration.ZERO);
    }

    /** Ends the node: SIGTERM, and SIGKILL if it still runs after 10 s. Returns when the process is gone. */
    public synchronized void stop() {
        process.stop(Broker.GRACE);
    }

    /**
     * Starts the node again on the same ports and data. If its process still runs, ends that first.
     *
     * @throws ProcessException the node did not start
     */
    public synchronized void restart() {
        process.stop(Broker.GRACE);
        process = starter.get();
    }

    /** Ends the node and the processes beside it. */
    synchronized void close() {
        stop();
        stopCompanions();
    }

    private void stopCompanions() {
        companions.forEach(companion -> companion.stop(Broker.GRACE));
    }
}
