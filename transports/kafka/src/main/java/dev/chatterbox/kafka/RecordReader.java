package dev.chatterbox.kafka;

import dev.chatterbox.connection.Daemon;
import dev.chatterbox.queue.QueueConsumer;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerConfig;
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

/**
 * Reads records on a thread of its own: one partition from an offset on, or what a consumer group gives this member.
 */
public final class RecordReader implements QueueConsumer {

    private static final Logger log = LoggerFactory.getLogger(RecordReader.class);

    private static final Duration POLL = Duration.ofSeconds(1);

    private static final Duration CLOSE_WITHIN = Duration.ofSeconds(1);

    /** When the reader commits what was taken. */
    enum Commits {
        NEVER,
        /** After each poll, without waiting. */
        EACH_POLL,
        /** After each record, and waits for it. */
        EACH_RECORD
    }

    private final KafkaConsumer<byte[], byte[]> consumer;
    private final Commits commits;
    private final Consumer<ConsumerRecords<byte[], byte[]>> records;
    private final Consumer<RuntimeException> failed;
    private final CountDownLatch assigned = new CountDownLatch(1);
    private final Thread thread;

    /** A wake-up alone may be taken by a commit. */
    private volatile boolean stopped;

    private RecordReader(
            Map<String, Object> options,
            String name,
            Commits commits,
            Consumer<ConsumerRecords<byte[], byte[]>> records,
            Consumer<RuntimeException> failed) {
        this.commits = commits;
        this.records = records;
        this.failed = failed;
        consumer = new KafkaConsumer<>(
                KafkaOptions.merged(options, Map.of(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false)),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
        thread = Daemon.thread("reader of " + name, this::read);
    }

    /**
     * Reads one partition. Nobody rebalances, because it is assigned. Nothing is committed, unless the options name a
     * group: then the reader commits after each record.
     *
     * @param records takes the records, on the reader's thread; without a group it gets an empty batch after a second
     *     without records
     * @param failed takes the error that ended the reading, on the reader's thread; {@link #close} does not call it
     */
    public static RecordReader ofPartition(
            Map<String, Object> options,
            TopicPartition partition,
            long offset,
            Consumer<ConsumerRecords<byte[], byte[]>> records,
            Consumer<RuntimeException> failed) {
        Commits commits = options.containsKey(ConsumerConfig.GROUP_ID_CONFIG) ? Commits.EACH_RECORD : Commits.NEVER;
        RecordReader reader = new RecordReader(options, partition.toString(), commits, records, failed);
        reader.consumer.assign(List.of(partition));
        reader.consumer.seek(partition, offset);
        reader.thread.start();
        return reader;
    }

    /**
     * Reads as a member of a group.
     *
     * @param options with the group
     * @param failed takes the error that ended the reading, on the reader's thread; {@link #close} does not call it
     */
    static RecordReader ofGroup(
            Map<String, Object> options,
            List<String> topics,
            Commits commits,
            Consumer<byte[]> handler,
            Consumer<RuntimeException> failed) {
        RecordReader reader = new RecordReader(
                options,
                topics.get(0),
                commits,
                records -> records.forEach(record -> handler.accept(record.value())),
                failed);
        reader.consumer.subscribe(topics, reader.new Membership());
        reader.thread.start();
        return reader;
    }

    private final class Membership implements ConsumerRebalanceListener {

        @Override
        public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
            assigned.countDown();
        }

        @Override
        public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
            commit();
        }
    }

    @Override
    public void awaitShare(long end) throws InterruptedException {
        if (!assigned.await(end - System.nanoTime(), TimeUnit.NANOSECONDS)) {
            log.warn("{} has no partitions yet", thread.getName());
        }
    }

    private void read() {
        try {
            while (!stopped) {
                ConsumerRecords<byte[], byte[]> polled = consumer.poll(POLL);
                if (commits == Commits.EACH_RECORD) {
                    polled.forEach(this::takeAndCommit);
                    continue;
                }
                records.accept(polled);
                if (commits == Commits.EACH_POLL && !polled.isEmpty()) {
                    consumer.commitAsync();
                }
            }
            commit();
        } catch (WakeupException closed) {
            commit();
        } catch (RuntimeException e) {
            failed.accept(e);
        } finally {
            consumer.close(CloseOptions.timeout(CLOSE_WITHIN));
        }
    }

    private void takeAndCommit(ConsumerRecord<byte[], byte[]> record) {
        TopicPartition partition = new TopicPartition(record.topic(), record.partition());
        Map<TopicPartition, OffsetAndMetadata> next = Map.of(partition, new OffsetAndMetadata(record.offset() + 1));
        records.accept(new ConsumerRecords<>(Map.of(partition, List.of(record)), next));
        consumer.commitSync(next);
    }

    /** Commits all polls that were taken. What is not committed is taken again, by another member. */
    private void commit() {
        if (commits == Commits.EACH_POLL) {
            try {
                consumer.commitSync(CLOSE_WITHIN);
            } catch (KafkaException e) {
                log.debug("Not committed", e);
            }
        }
    }

    @Override
    public void stop() {
        stopped = true;
        consumer.wakeup();
    }

    @Override
    public void close() {
        stop();
        Daemon.join(thread, CLOSE_WITHIN.multipliedBy(2));
    }
}
