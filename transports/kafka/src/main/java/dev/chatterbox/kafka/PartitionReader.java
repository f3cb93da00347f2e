package dev.chatterbox.kafka;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Reads one partition, on a thread of its own, from an offset on. Nobody rebalances, because it is assigned. Nothing is
 * committed, unless the options name a group: then the reader commits after each record, and waits for each commit.
 */
public final class PartitionReader implements AutoCloseable {

    private static final Duration POLL = Duration.ofSeconds(1);

    private static final Duration CLOSE_WITHIN = Duration.ofSeconds(1);

    private final KafkaConsumer<byte[], byte[]> consumer;
    private final Consumer<ConsumerRecords<byte[], byte[]>> records;
    private final Consumer<RuntimeException> failed;
    private final boolean committing;
    private final Thread thread;

    /**
     * @param records takes the records, on the reader's thread; gets an empty batch after a second without records
     * @param failed takes the error that ended the reading, on the reader's thread; {@link #close} does not call it
     */
    public PartitionReader(
            Map<String, Object> options,
            TopicPartition partition,
            long offset,
            Consumer<ConsumerRecords<byte[], byte[]>> records,
            Consumer<RuntimeException> failed) {
        this.records = records;
        this.failed = failed;
        committing = options.containsKey(ConsumerConfig.GROUP_ID_CONFIG);
        consumer = new KafkaConsumer<>(
                KafkaOptions.merged(options, Map.of(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false)),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
        consumer.assign(List.of(partition));
        consumer.seek(partition, offset);
        thread = new Thread(this::read, "reader of " + partition);
        thread.setDaemon(true);
        thread.start();
    }

    private void read() {
        try {
            while (true) {
                ConsumerRecords<byte[], byte[]> polled = consumer.poll(POLL);
                if (committing) {
                    polled.forEach(this::takeAndCommit);
                } else {
                    records.accept(polled);
                }
            }
        } catch (WakeupException closed) {
            // close() woke the consumer.
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

    @Override
    public void close() {
        consumer.wakeup();
        try {
            thread.join(2 * CLOSE_WITHIN.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
