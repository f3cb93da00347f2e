package dev.chatterbox.workloads;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * What only a queue has; all zeros for other exchanges.
 *
 * @param publishers how many messages are published and not yet acknowledged: 1 to 1000
 * @param consumers in each responder, for each group: 1 to 16
 * @param topics over which messages are spread: 1 to 1000
 * @param groups of consumers, which each get each message: 1 to 50
 */
public record QueueShape(int publishers, int consumers, int topics, int groups) implements Comparable<QueueShape> {

    static final String PUBLISHERS = "publishers";
    static final String CONSUMERS = "consumers";
    static final String TOPICS = "topics";
    static final String GROUPS = "groups";

    static final QueueShape NONE = new QueueShape(0, 0, 0, 0);

    /** The aggregator's own defaults. */
    public static final QueueShape DEFAULT = new QueueShape(250, 1, 1, 1);

    private static final int MAX_SPREAD = 1_000;

    /** Of a responder, over all groups. */
    private static final int MAX_CONSUMERS = 100;

    private static final Comparator<QueueShape> ORDER = Comparator.comparing(QueueShape::publishers)
            .thenComparing(QueueShape::consumers)
            .thenComparing(QueueShape::topics)
            .thenComparing(QueueShape::groups);

    /** Requires that each value is in its range. */
    void require() {
        requireRange(PUBLISHERS, publishers, 1_000);
        requireRange(CONSUMERS, consumers, 16);
        requireRange(TOPICS, topics, MAX_SPREAD);
        requireRange(GROUPS, groups, 50);
        Workload.require(
                topics * groups <= MAX_SPREAD,
                "topics × groups must be at most " + MAX_SPREAD + ", but it is %s × %s",
                topics,
                groups);
        Workload.require(
                groups * consumers <= MAX_CONSUMERS,
                "groups × consumers must be at most " + MAX_CONSUMERS + ", but it is %s × %s",
                groups,
                consumers);
    }

    private static void requireRange(String what, int value, int most) {
        Workload.require(value >= 1 && value <= most, "%s must be 1 to %s, but it is %s", what, most, value);
    }

    public QueueShape withPublishers(int number) {
        return new QueueShape(number, consumers, topics, groups);
    }

    public QueueShape withConsumers(int number) {
        return new QueueShape(publishers, number, topics, groups);
    }

    public QueueShape withTopics(int number) {
        return new QueueShape(publishers, consumers, number, groups);
    }

    public QueueShape withGroups(int number) {
        return new QueueShape(publishers, consumers, topics, number);
    }

    /**
     * Every combination. Nothing if all lists are empty.
     *
     * @param others whose values stand for those of an empty list; without others, the default's
     */
    public static List<QueueShape> all(
            List<Integer> publishers,
            List<Integer> consumers,
            List<Integer> topics,
            List<Integer> groups,
            List<QueueShape> others) {
        if (Stream.of(publishers, consumers, topics, groups).allMatch(List::isEmpty)) {
            return List.of();
        }
        return or(publishers, others, QueueShape::publishers).stream()
                .flatMap(publishing -> or(consumers, others, QueueShape::consumers).stream()
                        .flatMap(consuming -> or(topics, others, QueueShape::topics).stream()
                                .flatMap(spread -> or(groups, others, QueueShape::groups).stream()
                                        .map(group -> new QueueShape(publishing, consuming, spread, group)))))
                .toList();
    }

    private static List<Integer> or(
            List<Integer> values, List<QueueShape> others, Function<QueueShape, Integer> value) {
        return values.isEmpty()
                ? (others.isEmpty() ? Stream.of(DEFAULT) : others.stream())
                        .map(value)
                        .distinct()
                        .toList()
                : values;
    }

    /** As in a workload's text and in the aggregator's query; topics and groups are left out if they are 1. */
    List<String> parameters() {
        List<String> parameters = new ArrayList<>(List.of("publishers=" + publishers, "consumers=" + consumers));
        if (topics > 1) {
            parameters.add("topics=" + topics);
        }
        if (groups > 1) {
            parameters.add("groups=" + groups);
        }
        return parameters;
    }

    @Override
    public int compareTo(QueueShape other) {
        return ORDER.compare(this, other);
    }
}
