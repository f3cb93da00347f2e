package dev.chatterbox.kafka;

import dev.chatterbox.connection.Opening;
import dev.chatterbox.connection.RefusedException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;

/**
 * Makes topics, and asks the broker about them. A question waits three seconds at most, because producers and consumers
 * wait for an absent broker and do not say so. A question that fails throws what {@link Outages} makes of its error.
 *
 * @param admin the client itself, for questions whose answer the caller does not wait for
 */
public record TopicAdmin(Outages outages, Admin admin) implements AutoCloseable {

    /** At 200,000 messages per second a log grows by 20 MB per second: a bound in bytes keeps the disk free. */
    public static final Map<String, String> RETENTION = Map.of(
            TopicConfig.RETENTION_MS_CONFIG, "600000",
            TopicConfig.RETENTION_BYTES_CONFIG, "268435456",
            TopicConfig.SEGMENT_BYTES_CONFIG, "67108864");

    /** This many responders can share the work. More partitions would split batches further. */
    public static final int PARTITIONS = 4;

    /**
     * This and the second between two checks of the broker are together less than the default deadline of a call, so
     * that an outage is known before calls time out.
     */
    private static final Duration PATIENCE = Duration.ofSeconds(3);

    /** So many topics are made or deleted by one request: the broker must answer it in time. */
    private static final int AT_ONCE = 50;

    /** Opens a connection. */
    @FunctionalInterface
    public interface Opener<C> {

        /** @param admin stays open where this returns */
        C open(TopicAdmin admin) throws Exception;
    }

    /**
     * Opens a connection that uses an admin client. The admin client is closed if that fails.
     *
     * @param options of the admin client
     */
    public static <C> C open(Outages outages, Map<String, Object> options, Opener<C> opener) throws Exception {
        try {
            TopicAdmin admin = new TopicAdmin(outages, Admin.create(options));
            return Opening.orClose(admin, () -> opener.open(admin));
        } catch (RuntimeException e) {
            throw outages.outage(e);
        }
    }

    /** Where batches are sent to. */
    public static String batchTopic(String requestTopic) {
        return requestTopic + ".batch";
    }

    /** Makes those of the topics that are missing. */
    public void make(List<String> topics) throws IOException, InterruptedException {
        make(topics, PARTITIONS, RETENTION);
    }

    void make(List<String> topics, int partitions, Map<String, String> configuration)
            throws IOException, InterruptedException {
        Map<String, KafkaFuture<TopicDescription>> answers =
                admin.describeTopics(topics).topicNameValues();
        List<NewTopic> missing = new ArrayList<>();
        for (String name : topics) {
            if (ask(answers.get(name), UnknownTopicOrPartitionException.class) == null) {
                missing.add(new NewTopic(name, Optional.of(partitions), Optional.empty()).configs(configuration));
            }
        }
        askInParts(missing, some -> admin.createTopics(some).values(), TopicExistsException.class);
    }

    /** The topics whose names begin so. */
    List<String> topics(String prefix) throws IOException, InterruptedException {
        return ask(admin.listTopics().names()).stream()
                .filter(name -> name.startsWith(prefix))
                .toList();
    }

    /** Deletes those of the topics that are there. */
    void delete(List<String> topics) throws IOException, InterruptedException {
        askInParts(topics, some -> admin.deleteTopics(some).topicNameValues(), UnknownTopicOrPartitionException.class);
    }

    /** @param none an error of a topic that is none */
    private <T> void askInParts(
            List<T> topics, Function<List<T>, Map<String, KafkaFuture<Void>>> request, Class<? extends Exception> none)
            throws IOException, InterruptedException {
        for (int from = 0; from < topics.size(); from += AT_ONCE) {
            List<T> part = topics.subList(from, Math.min(topics.size(), from + AT_ONCE));
            for (KafkaFuture<Void> question : request.apply(part).values()) {
                ask(question, none);
            }
        }
    }

    /** @throws IOException the question failed, or one of the topics is missing */
    public Map<String, TopicDescription> describe(List<String> topics) throws IOException, InterruptedException {
        Map<String, KafkaFuture<TopicDescription>> answers =
                admin.describeTopics(topics).topicNameValues();
        Map<String, TopicDescription> descriptions = new LinkedHashMap<>();
        for (String name : topics) {
            TopicDescription description = ask(answers.get(name), UnknownTopicOrPartitionException.class);
            if (description == null) {
                throw new RefusedException("there is no topic %s: no responder has been started yet".formatted(name));
            }
            descriptions.put(name, description);
        }
        return descriptions;
    }

    /** The largest batch of records, in bytes, that all of the topics take. */
    public int maxMessageBytes(Collection<String> topics) throws IOException, InterruptedException {
        List<ConfigResource> resources = topics.stream()
                .map(name -> new ConfigResource(ConfigResource.Type.TOPIC, name))
                .toList();
        return ask(admin.describeConfigs(resources).all()).values().stream()
                .mapToInt(topic -> Integer.parseInt(
                        topic.get(TopicConfig.MAX_MESSAGE_BYTES_CONFIG).value()))
                .min()
                .orElseThrow();
    }

    /** Where the next record will be. */
    public long endOffset(TopicPartition partition) throws IOException, InterruptedException {
        return ask(admin.listOffsets(Map.of(partition, OffsetSpec.latest())).partitionResult(partition))
                .offset();
    }

    /** Returns when the partitions of all the topics have leaders that take records. */
    void awaitLeaders(List<String> topics) throws IOException, InterruptedException {
        ask(admin.listOffsets(describe(topics).values().stream()
                        .flatMap(topic -> topic.partitions().stream()
                                .map(partition -> new TopicPartition(topic.name(), partition.partition())))
                        .collect(Collectors.toMap(partition -> partition, partition -> OffsetSpec.latest())))
                .all());
    }

    /** How many members a consumer group has. */
    public int members(String group) throws IOException, InterruptedException {
        ConsumerGroupDescription description = ask(
                admin.describeConsumerGroups(List.of(group)).describedGroups().get(group),
                GroupIdNotFoundException.class);
        return description == null ? 0 : description.members().size();
    }

    private <T> T ask(KafkaFuture<T> question) throws IOException, InterruptedException {
        return Objects.requireNonNull(ask(question, null));
    }

    /** @return null if the answer is the error {@code none} */
    private <T> @Nullable T ask(@Nullable KafkaFuture<T> question, @Nullable Class<? extends Exception> none)
            throws IOException, InterruptedException {
        try {
            return Objects.requireNonNull(question).get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            if (none != null && none.isInstance(e.getCause())) {
                return null;
            }
            throw outages.outage(e.getCause());
        } catch (TimeoutException e) {
            throw outages.outage(e);
        }
    }

    @Override
    public void close() {
        admin.close(Duration.ZERO);
    }
}
