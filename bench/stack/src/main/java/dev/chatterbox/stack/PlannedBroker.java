package dev.chatterbox.stack;

import dev.chatterbox.brokers.Broker;
import dev.chatterbox.brokers.Launch;
import dev.chatterbox.brokers.RunningBroker;
import dev.chatterbox.processes.ChildProcess;
import dev.chatterbox.processes.Lifetime;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;

/**
 * A broker of a stack; rows may share it.
 *
 * @param ports where the broker listens, by role
 * @param reached the ports by which clients reach the broker, by role: not its own ports if a network lies before it
 */
public record PlannedBroker(Broker broker, Map<String, Integer> ports, Map<String, Integer> reached) implements Part {

    @Override
    public Member.Kind kind() {
        return Member.Kind.BROKER;
    }

    @Override
    public String name() {
        return broker.name();
    }

    int clientPort() {
        return ports.values().iterator().next();
    }

    /** The port that the broker announces to its clients, if that is not its own. */
    OptionalInt advertisedPort() {
        return reached.equals(ports)
                ? OptionalInt.empty()
                : OptionalInt.of(reached.values().iterator().next());
    }

    @Override
    public void obtain(Consumer<String> log) {
        log.accept(broker.origin());
        broker.obtain(log);
    }

    @Override
    public Optional<Path> archive(Repository repository, Map<String, Path> jars) {
        return Optional.of(broker.classPath())
                .filter(classPath -> !classPath.isEmpty())
                .map(classPath -> Archives.file(repository, name(), classPath));
    }

    /** @param started as in {@link Launch}, which also explains the other parameters */
    RunningBroker start(Path directory, Lifetime lifetime, Consumer<ChildProcess> started, List<String> javaFlags) {
        return broker.start(new Launch(ports, directory, lifetime, started, javaFlags, advertisedPort()));
    }

    @Override
    public Member member(ChildProcess process) {
        return Member.of(kind(), process, clientPort(), "", "");
    }

    Map<String, String> environment() {
        return broker.environment(reached);
    }
}
