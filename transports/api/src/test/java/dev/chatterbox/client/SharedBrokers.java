package dev.chatterbox.client;

import dev.chatterbox.brokers.Broker;
import dev.chatterbox.brokers.RunningBroker;
import dev.chatterbox.brokers.Unavailable;
import dev.chatterbox.variants.Variant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** One broker of each kind for all tests of this JVM, which ends with it. Addresses of their own keep tests apart. */
public final class SharedBrokers {

    private static final Map<Variant.Broker, RunningBroker> RUNNING = new ConcurrentHashMap<>();

    private static final Set<String> LACKING = ConcurrentHashMap.newKeySet();

    private SharedBrokers() {}

    /** Whether this machine can run the variant's broker and its responder. If not, the reason is logged once. */
    public static boolean canHave(Variant variant) {
        Optional<String> reason = variant.broker()
                .flatMap(broker -> Unavailable.why(definition(broker)::origin))
                .or(() -> variant.responder().flatMap(RealResponder::whyUnavailable));
        if (reason.isPresent() && LACKING.add(reason.get())) {
            System.out.printf("Skipped: the tests of %s. %s%n", variant.name(), reason.get());
        }
        return reason.isEmpty();
    }

    public static RunningBroker of(Variant variant) {
        return RUNNING.computeIfAbsent(variant.broker().orElseThrow(), SharedBrokers::start);
    }

    /** Starts a broker for one test only, which closes it. */
    public static RunningBroker start(Variant variant) {
        return start(variant.broker().orElseThrow());
    }

    private static RunningBroker start(Variant.Broker broker) {
        return RunningBroker.start(definition(broker), broker.nodes());
    }

    private static Broker definition(Variant.Broker broker) {
        try {
            return (Broker) Class.forName(broker.type()).getConstructor().newInstance();
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }
}
