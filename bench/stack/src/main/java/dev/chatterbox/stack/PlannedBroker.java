package dev.chatterbox.stack;

import dev.chatterbox.brokers.Broker;
import dev.chatterbox.brokers.Launch;
import dev.chatterbox.brokers.Leaders;
import dev.chatterbox.brokers.Node;
import dev.chatterbox.processes.ChildProcess;
import dev.chatterbox.processes.Lifetime;
import dev.chatterbox.rows.Row;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.function.Consumer;

/**
 * A broker of a stack, or a node of a cluster; rows may share it.
 *
 * @param row what the rows say of the broker
 * @param node which node it is, and where all nodes listen
 * @param reached the ports by which clients reach the broker, by role: not its own ports if a network lies before it
 */
public record PlannedBroker(Row.Broker row, Broker broker, Node node, Map<String, Integer> reached) implements Part {

    @Override
    public Member.Kind kind() {
        return Member.Kind.BROKER;
    }

    @Override
    public String name() {
        return node.name(broker);
    }

    @Override
    public Map<String, Integer> ports() {
        return node.own();
    }

    int clientPort() {
        return port(ports());
    }

    /** The port that the broker announces to its clients, if that is not its own. */
    OptionalInt advertisedPort() {
        return reached.equals(ports()) ? OptionalInt.empty() : OptionalInt.of(port(reached));
    }

    private static int port(Map<String, Integer> ports) {
        return Objects.requireNonNull(ports.get("client"));
    }

    @Override
    public void obtain(Consumer<String> log) {
        log.accept(broker.origin());
        broker.obtain(log);
    }

    /** @param started as in {@link Launch}, which also explains the other parameters */
    void start(Path directory, Lifetime lifetime, Consumer<ChildProcess> started) {
        broker.start(launch(directory, lifetime, started));
    }

    private Launch launch(Path directory, Lifetime lifetime, Consumer<ChildProcess> started) {
        return new Launch(node, directory, lifetime, started, List.of(), advertisedPort());
    }

    /**
     * Asks the cluster of this node who leads what a row needs. The node must serve.
     *
     * @throws IOException the cluster does not say it
     */
    Leaders leaders(Path directory, Row row) throws IOException {
        return broker.leaders(launch(directory, Lifetime.WITH_PARENT, process -> {}), row.address());
    }

    /** @throws IOException the process does not say its version */
    String version(long pid) throws IOException {
        return broker.version(pid, ports());
    }

    @Override
    public Member member(ChildProcess process) {
        return Member.of(kind(), process, clientPort(), "", "");
    }
}
