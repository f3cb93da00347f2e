package dev.chatterbox.resilience;

import dev.chatterbox.rows.Outlives;
import java.util.List;
import java.util.stream.Stream;

/** A case in which something breaks while messages of the exchange {@code queue} are on their way. */
enum QueueCase {
    BROKER_KILLED(
            "queue-broker-killed",
            "the broker, or one node of a cluster in each run, dies (SIGKILL), and is started again with its data after a second",
            Outlives.BROKER),
    RESPONDER_KILLED(
            "queue-responder-killed",
            "the responder, with both consumers, dies (SIGKILL), and is started again after a second",
            Outlives.RESPONDER),
    RESPONDER_RESTARTED(
            "queue-responder-restarted",
            "the responder, with both consumers, ends in order (SIGTERM), and is started again at once",
            Outlives.RESPONDER),
    LINK_CUT(
            "queue-link-cut",
            "all connections to the broker end, and none is accepted for a second, every five seconds",
            Outlives.RESPONDER),
    ORDER_LINK_CUT(
            "queue-order-link-cut",
            "the link is cut in the same way; one publisher, one consumer and 16 topics, so that messages have an order",
            Outlives.RESPONDER,
            QueueCase.IN_ORDER);

    private static final String SHARED = "publishers=250&consumers=2&payload=256";

    /** Kafka promises an order for a partition: one of sixteen topics has only one. */
    private static final String IN_ORDER = "publishers=1&consumers=1&topics=16&payload=256";

    /** Chooses all of them; without being named they do not run. */
    static final String ALL = "queue";

    final String title;
    final String what;

    /** A row whose messages outlive this may lose none. */
    final Outlives losesNothing;

    /** How a run is asked for. */
    final String parameters;

    QueueCase(String title, String what, Outlives losesNothing) {
        this(title, what, losesNothing, QueueCase.SHARED);
    }

    QueueCase(String title, String what, Outlives losesNothing, String parameters) {
        this.title = title;
        this.what = what;
        this.losesNothing = losesNothing;
        this.parameters = parameters;
    }

    /** The names by which a person chooses them. */
    static Stream<String> names() {
        return Stream.concat(Stream.of(ALL), Stream.of(values()).map(one -> one.title));
    }

    static List<QueueCase> named(List<String> names) {
        return Stream.of(values())
                .filter(one -> names.contains(ALL) || names.contains(one.title))
                .toList();
    }
}
