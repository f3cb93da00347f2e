package dev.chatterbox.queue;

import java.util.List;
import java.util.stream.IntStream;

/**
 * Over how many topics messages are spread, and how many groups of consumers get each message.
 *
 * @param topics at least 1: subjects of NATS, topics of Kafka and Pulsar, queues of RabbitMQ and Artemis
 * @param groups at least 1
 */
public record Spread(int topics, int groups) {

    /** Between a queue's name and the number of a topic. */
    public static final String TOPIC = ".topic.";

    /** One topic, and one group. */
    public static final Spread NONE = new Spread(1, 1);

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
