package dev.chatterbox.stack;

import dev.chatterbox.brokers.Broker;
import java.util.Map;
import java.util.OptionalInt;

/**
 * A broker of a stack; rows may share it.
 *
 * @param ports where it listens, by role
 * @param reached the ports by which its clients reach it, by role: others than its own where a network lies before it
 */
public record PlannedBroker(Broker broker, Map<String, Integer> ports, Map<String, Integer> reached) {

    public String name() {
        return broker.name();
    }

    int clientPort() {
        return ports.values().iterator().next();
    }

    /** The port that it announces to its clients, where that is not its own. */
    OptionalInt advertisedPort() {
        return reached.equals(ports)
                ? OptionalInt.empty()
                : OptionalInt.of(reached.values().iterator().next());
    }

    Map<String, String> environment() {
        return broker.environment(reached);
    }
}
