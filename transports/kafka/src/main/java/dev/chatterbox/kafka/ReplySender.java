package dev.chatterbox.kafka;

import dev.chatterbox.responder.SquareResponder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/**
 * Sends replies to addresses that exist. For a missing topic or partition {@link Producer#send} waits up to
 * {@code max.block.ms}, so that one bad reply address would hold up all other requests. So each new topic is looked up
 * in the background first, and only the replies to this topic wait for that. Safe for concurrent use.
 */
final class ReplySender {

    /** Each requester has at most one reply topic; this limits what a stranger's made-up names can take. */
    private static final int MOST_TOPICS = 1_000;

    /** The number of requests that come in 50 ms, the time of one look-up, at 200,000 requests per second. */
    private static final int MOST_PARKED_PER_TOPIC = 10_000;

    /** The replies of two topics, about 10 MB: made-up names, or a slow broker, must not fill the heap. */
    private static final int MOST_PARKED = 20_000;

    /** How long a missing topic, or a missing partition, is taken to be missing. */
    private static final long RECHECK_NANOS = Duration.ofSeconds(1).toNanos();

    /** Only such names are looked up, because a name too long for the protocol ends the admin client's thread. */
    private static final Pattern LEGAL_NAME = Pattern.compile("[a-zA-Z0-9._-]{1,249}");

    private final Admin admin;
    private final Producer<byte[], byte[]> producer;
    private final SquareResponder responder;
    private final Map<String, ReplyTopic> topics = new ConcurrentHashMap<>();

    /** The number of replies that wait for look-ups, including topics that were cleared from the map. */
    private final AtomicInteger waitingReplies = new AtomicInteger();

    /** A reply, with what runs once when it is stored or cannot be. */
    static final class Outgoing extends ProducerRecord<byte[], byte[]> {

        private final Runnable settled;

        Outgoing(String topic, @Nullable Integer partition, byte[] value, List<Header> headers, Runnable settled) {
            super(topic, partition, null, null, value, headers);
            this.settled = settled;
        }
    }

    ReplySender(Admin admin, Producer<byte[], byte[]> producer, SquareResponder responder) {
        this.admin = admin;
        this.producer = producer;
        this.responder = responder;
    }

    void send(Outgoing reply) {
        ReplyTopic topic = topics.get(reply.topic());
        if (topic == null) {
            if (!LEGAL_NAME.matcher(reply.topic()).matches()) {
                undeliverable(reply, "the reply topic's name is none that a topic can have");
                return;
            }
            if (topics.size() >= MOST_TOPICS) {
                // Each topic in use is then looked up once more; its parked replies are still sent.
                topics.clear();
            }
            topic = topics.computeIfAbsent(reply.topic(), this::lookUp);
        }
        topic.send(reply);
    }

    private ReplyTopic lookUp(String name) {
        ReplyTopic topic = new ReplyTopic(name);
        admin.describeTopics(List.of(name))
                .allTopicNames()
                .whenComplete((all, error) -> topic.describe(all == null ? null : all.get(name), error));
        return topic;
    }

    private void undeliverable(Outgoing reply, String reason) {
        responder.undeliverable(reason);
        reply.settled.run();
    }

    private boolean reserve() {
        if (waitingReplies.incrementAndGet() <= MOST_PARKED) {
            return true;
        }
        waitingReplies.decrementAndGet();
        return false;
    }

    private final class ReplyTopic {

        private final String name;
        private volatile long describedAt = System.nanoTime();
        private volatile int partitions;
        private volatile String problem = "";

        /** The replies that wait for the look-up; null once it has ended. {@code this} guards it. */
        private @Nullable List<Outgoing> waiting = new ArrayList<>();

        ReplyTopic(String name) {
            this.name = name;
        }

        void send(Outgoing reply) {
            if (partitions > 0 || !park(reply)) {
                transmit(reply);
            }
        }

        private synchronized boolean park(Outgoing reply) {
            if (waiting == null) {
                return false;
            }
            if (waiting.size() < MOST_PARKED_PER_TOPIC && reserve()) {
                waiting.add(reply);
            } else {
                undeliverable(reply, "too many wait for the reply topic " + name + " to be looked up");
            }
            return true;
        }

        /** Runs on the admin client's thread. */
        private void describe(@Nullable TopicDescription topic, @Nullable Throwable error) {
            List<Outgoing> ended;
            synchronized (this) {
                ended = waiting == null ? List.of() : waiting;
                waiting = null;
                describedAt = System.nanoTime();
                partitions = topic == null ? 0 : topic.partitions().size();
                problem = error == null ? "it has " + partitions : error.toString();
            }
            waitingReplies.addAndGet(-ended.size());
            ended.forEach(this::transmit);
        }

        private void transmit(Outgoing reply) {
            int partition = reply.partition() == null ? 0 : reply.partition();
            if (partition >= partitions) {
                if (System.nanoTime() - describedAt > RECHECK_NANOS) {
                    topics.remove(name, this);
                    ReplySender.this.send(reply);
                } else {
                    undeliverable(reply, "partition " + partition + " of the reply topic " + name + ": " + problem);
                }
                return;
            }
            try {
                producer.send(reply, (sent, error) -> {
                    if (error == null) {
                        reply.settled.run();
                    } else {
                        failed(reply, error);
                    }
                });
            } catch (KafkaException | IllegalStateException e) {
                // IllegalStateException: the producer is closed, because a delayed answer may come after the end.
                failed(reply, e);
            }
        }

        private void failed(Outgoing reply, Exception error) {
            topics.remove(name, this);
            undeliverable(reply, error.toString());
        }
    }
}
