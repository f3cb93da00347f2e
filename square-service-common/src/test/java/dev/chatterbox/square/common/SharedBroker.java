package dev.chatterbox.square.common;

import dev.chatterbox.brokers.Broker;
import dev.chatterbox.brokers.RunningBroker;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** One broker of each kind for all tests of a module; it ends with this JVM. */
public final class SharedBroker {

    private static final Map<Class<?>, RunningBroker> RUNNING = new ConcurrentHashMap<>();

    private SharedBroker() {}

    /** The running one, started again where a test has killed it. */
    public static RunningBroker of(Broker broker) {
        RunningBroker running = RUNNING.computeIfAbsent(broker.getClass(), type -> broker.start());
        return running.process().isAlive() ? running : running.restart();
    }
}
