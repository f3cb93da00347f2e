package dev.chatterbox.aggregator;

import dev.chatterbox.brokers.Broker;
import dev.chatterbox.brokers.RunningBroker;
import dev.chatterbox.rows.Row;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** One broker of each kind for all tests of this JVM, which ends with it. Addresses of their own keep tests apart. */
public final class SharedBrokers {

    private static final Map<Row.Broker, RunningBroker> RUNNING = new ConcurrentHashMap<>();

    private SharedBrokers() {}

    public static RunningBroker of(Row row) {
        return RUNNING.computeIfAbsent(row.broker().orElseThrow(), SharedBrokers::start);
    }

    private static RunningBroker start(Row.Broker broker) {
        try {
            return ((Broker) Class.forName(broker.type()).getConstructor().newInstance()).start();
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }
}
