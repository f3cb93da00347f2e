package dev.chatterbox.resilience;

import dev.chatterbox.rows.Outlives;
import java.util.List;
import java.util.stream.Stream;

/** A case in which something breaks while one-way messages are on their way. */
enum QueueCase {
    BROKER_KILLED(
            "queue-broker-killed",
            "the broker, or one node of a cluster in each run, dies (SIGKILL), and is started again with its data after a second",
            Outlives.BROKER),
    CONSUMER_KILLED(
            "queue-consumer-killed",
            "the program that consumes, with both consumers, dies (SIGKILL), and is started again after a second",
            Outlives.RESPONDER),
    CONSUMER_RESTARTED(
            "queue-consumer-restarted",
            "the program that consumes, with both consumers, ends in order, and is started again at once",
            Outlives.RESPONDER),
    PRODUCER_KILLED("queue-producer-killed", "the program that produces dies (SIGKILL)", Outlives.RESPONDER),
    LINK_CUT(
            "queue-link-cut",
            "all connections to the broker end, and none is accepted for a second, every five seconds",
            Outlives.RESPONDER),
    ORDER_LINK_CUT(
            "queue-order-link-cut",
            "the link is cut in the same way; one publisher, one consumer and 16 topics, so that messages have an order",
            Outlives.RESPONDER,
            QueueCase.IN_ORDER);

    private static final String SHARED = "publishers=250 consumers=2 payload=256";

    /** Kafka promises an order for a partition: one of sixteen topics has only one. */
    private static final String IN_ORDER = "publishers=1 consumers=1 topics=16 payload=256";

    /** Chooses all of them; without being named they do not run. */
    static final String ALL = "queue";

    final String title;
    final String what;

    /** A row whose messages outlive this may lose none. */
    final Outlives losesNothing;

    /** The rest of the workload. */
    final String workload;

    QueueCase(String title, String what, Outlives losesNothing) {
        this(title, what, losesNothing, QueueCase.SHARED);
    }

    QueueCase(String title, String what, Outlives losesNothing, String workload) {
        this.title = title;
        this.what = what;
        this.losesNothing = losesNothing;
        this.workload = workload;
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
