package dev.chatterbox.responder;

import dev.chatterbox.brokers.Broker;
import dev.chatterbox.brokers.RunningBroker;
import dev.chatterbox.brokers.Unavailable;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Assumptions;

/** One broker of each kind, and one cluster, for all tests of a module; it ends with this JVM. */
public final class SharedBroker {

    private static final Map<List<Object>, RunningBroker> RUNNING = new ConcurrentHashMap<>();

    private static final Set<String> MISSING = ConcurrentHashMap.newKeySet();

    private SharedBroker() {}

    /** Skips the test where this machine cannot have the broker, and says so once. */
    public static void require(Broker broker) {
        Unavailable.why(broker::origin).ifPresent(reason -> {
            if (MISSING.add(broker.name())) {
                System.out.printf("Skipped: the tests of %s. %s%n", broker.name(), reason);
            }
            Assumptions.abort(reason);
        });
    }

    /** The running one, started again where a test has killed it. */
    public static RunningBroker of(Broker broker) {
        return of(broker, 1);
    }

    /** The same with a cluster of so many nodes. */
    public static RunningBroker of(Broker broker, int nodes) {
        require(broker);
        RunningBroker running =
                RUNNING.computeIfAbsent(List.of(broker.getClass(), nodes), type -> RunningBroker.start(broker, nodes));
        return running.process().isAlive() ? running : running.restart();
    }
}
