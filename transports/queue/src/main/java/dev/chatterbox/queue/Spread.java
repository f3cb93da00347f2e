package dev.chatterbox.queue;

import java.util.List;
import java.util.stream.IntStream;

/**
 * Over how many topics the messages of a run are spread, and how many groups of consumers get each message.
 *
 * @param topics 1 to {@link #MOST}: subjects of NATS, topics of Kafka and Pulsar, queues of RabbitMQ and Artemis
 * @param groups 1 to {@link #MOST_GROUPS}; topics × groups are not more than {@link #MOST}
 */
public record Spread(int topics, int groups) {

    public static final int MOST = 1_000;

    public static final int MOST_GROUPS = 50;

    /** Between a queue's name and the number of a topic. */
    public static final String TOPIC = ".topic.";

    /** One topic, and one group. */
    public static final Spread NONE = new Spread(1, 1);

    /** The spread that was told; a zero stands for one, as from an aggregator of an earlier build. */
    public static Spread of(int topics, int groups) {
        return new Spread(Math.max(1, topics), Math.max(1, groups));
    }

    /** Whether both are in their ranges. */
    public boolean isPossible() {
        return topics >= 1 && groups >= 1 && groups <= MOST_GROUPS && (long) topics * groups <= MOST;
    }

    /** The topics of a queue. One topic has the queue's own name. */
    public List<String> topics(String queue) {
        return topics == 1
                ? List.of(queue)
                : IntStream.range(0, topics)
                        .mapToObj(topic -> queue + TOPIC + topic)
                        .toList();
    }

    /**
     * The name of a group. One group has the name itself.
     *
     * @param group from 0
     */
    public String group(String name, int group) {
        return groups == 1 ? name : name + "-" + group;
    }
}
