package dev.chatterbox.kafka;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A member of a consumer group, on a thread of its own. It commits after each poll, or after each record. */
final class GroupReader implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(GroupReader.class);

    private static final Duration POLL = Duration.ofSeconds(1);

    private static final Duration CLOSE_WITHIN = Duration.ofSeconds(1);

    private final KafkaConsumer<byte[], byte[]> consumer;
    private final boolean commitEach;
    private final Consumer<byte[]> taken;
    private final Consumer<RuntimeException> failed;
    private final CountDownLatch assigned = new CountDownLatch(1);
    private final Thread thread;

    /**
     * @param options with the group
     * @param commitEach whether it waits for a commit after each record; otherwise it does not wait for those after each
     *     poll
     * @param failed takes the error that ended the reading, on the reader's thread
     */
    GroupReader(
            Map<String, Object> options,
            List<String> topics,
            boolean commitEach,
            Consumer<byte[]> taken,
            Consumer<RuntimeException> failed) {
        this.commitEach = commitEach;
        this.taken = taken;
        this.failed = failed;
        consumer = new KafkaConsumer<>(options, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        consumer.subscribe(topics, new ConsumerRebalanceListener() {
            @Override
            public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
                assigned.countDown();
            }

            @Override
            public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
                commit();
            }
        });
        thread = new Thread(this::read, "reader of " + topics.get(0));
        thread.setDaemon(true);
        thread.start();
    }

    /** Waits until the group has given it partitions, or none. */
    void awaitPartitions(long nanos) throws InterruptedException {
        if (!assigned.await(nanos, TimeUnit.NANOSECONDS)) {
            log.warn("{} has no partitions yet", thread.getName());
        }
    }

    private void read() {
        try {
            while (true) {
                ConsumerRecords<byte[], byte[]> polled = consumer.poll(POLL);
                for (ConsumerRecord<byte[], byte[]> record : polled) {
                    taken.accept(record.value());
                    if (commitEach) {
                        consumer.commitSync(Map.of(
                                new TopicPartition(record.topic(), record.partition()),
                                new OffsetAndMetadata(record.offset() + 1)));
                    }
                }
                if (!commitEach && !polled.isEmpty()) {
                    consumer.commitAsync();
                }
            }
        } catch (WakeupException closed) {
            commit();
        } catch (RuntimeException e) {
            failed.accept(e);
        } finally {
            consumer.close(CloseOptions.timeout(CLOSE_WITHIN));
        }
    }

    /** What is not committed is taken again, by another member. */
    private void commit() {
        try {
            consumer.commitSync(CLOSE_WITHIN);
        } catch (KafkaException e) {
            log.debug("Not committed", e);
        }
    }

    /** Ends the reading soon. */
    void end() {
        consumer.wakeup();
    }

    @Override
    public void close() {
        end();
        try {
            thread.join(2 * CLOSE_WITHIN.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
