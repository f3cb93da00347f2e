package dev.chatterbox.results;

import java.util.List;
import java.util.Set;

/**
 * What serves a variant's calls, as far as it makes the starts of a stack differ: with σ(start), which is the standard
 * deviation of the logarithm of one figure over starts, and the degrees of freedom that it is known with.
 *
 * <p>The numbers come from 60 starts of stacks on 2026-11-23 to 28: the files start-spread, one-commit,
 * burning-responder, headline-epyc and headline-jdk17 of docs/results. Most of them have REST, NATS and Kafka at 100
 * calls per request. {@code StartSpreadTests} computes them again.
 */
public enum VariantClass {
    /** The aggregator calls the responder, or no responder. */
    DIRECT(0.0279, 6.2),
    /** The broker is a native program, or one in Erlang. */
    BROKER(0.0270, 5.2),
    /** The broker is a JVM, which compiles its code in each start again. */
    JVM_BROKER(0.0305, 3.7),
    /** The responder, or the consumer, is a program in Python. No run has several starts of one: the largest. */
    PYTHON(0.0305, 3.7);

    private static final Set<String> JVM_BROKERS = Set.of("artemis", "kafka", "pulsar");

    private final Variance startSpread;

    VariantClass(double sigma, double freedom) {
        startSpread = new Variance(sigma * sigma, freedom);
    }

    static VariantClass of(Cell cell) {
        List<String> name = List.of(cell.variant().split("-"));
        if (name.contains("python")) {
            return PYTHON;
        }
        if (JVM_BROKERS.contains(name.get(0))) {
            return JVM_BROKER;
        }
        return cell.isZeroLine() || cell.kind().equals("direct") ? DIRECT : BROKER;
    }

    /** σ²(start). */
    Variance startSpread() {
        return startSpread;
    }
}
