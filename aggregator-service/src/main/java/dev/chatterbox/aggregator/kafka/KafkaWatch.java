package dev.chatterbox.aggregator.kafka;

import dev.chatterbox.aggregator.client.CallException;
import dev.chatterbox.aggregator.client.Outcome;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.NestedExceptionUtils;

/**
 * Knows whether a call over Kafka can be answered: the producer and the consumer do not say that the broker is away,
 * they wait for it. Makes the reply topic, and asks the broker for it and those of requests once a second, on a thread
 * of its own.
 */
final class KafkaWatch implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(KafkaWatch.class);

    /** As many aggregators can have a partition of their own. */
    private static final int REPLY_PARTITIONS = 4;

    /** At 200,000 replies a second the log grows by 20 MB a second: a bound in bytes keeps the disk free. */
    private static final Map<String, String> REPLY_TOPIC = Map.of(
            TopicConfig.RETENTION_MS_CONFIG, "600000",
            TopicConfig.RETENTION_BYTES_CONFIG, "268435456",
            TopicConfig.SEGMENT_BYTES_CONFIG, "67108864");

    /**
     * With the second between two checks it is less than the default deadline of a call: an outage is told from
     * silence.
     */
    private static final Duration PATIENCE = Duration.ofSeconds(3);

    private final String servers;
    private final KafkaAddress address;
    private final Supplier<Admin> admins;
    private final Consumer<Topics> connect;
    private final Consumer<CallException> disconnected;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "kafka-watch");
        thread.setDaemon(true);
        return thread;
    });
    private volatile @Nullable Admin admin;
    private volatile long lastReplyAt = System.nanoTime();

    /** Of the topics that calls go over: others of the same names are there when a broker has lost its data. */
    private Set<Uuid> connected = Set.of();

    /** Why calls cannot be made now; null while they can. */
    private volatile @Nullable String down = "the Kafka client has not connected yet";

    /** The topics, which are there. */
    interface Topics {

        int replyPartitions();

        /** What the smallest of them takes in one batch of records. Asks the broker, on this thread. */
        int maxMessageBytes();

        /** Asks the broker, on this thread. */
        long endOffset(TopicPartition partition);
    }

    /**
     * @param servers as people write them, for messages
     * @param admins makes the one that is used; asked again until it does not throw
     * @param connect called on the watch's thread when the topics are there, and when others have come in their place;
     *     again until it does not throw
     * @param disconnected called on the watch's thread each time that the broker is found to be away
     */
    KafkaWatch(
            String servers,
            KafkaAddress address,
            Supplier<Admin> admins,
            Consumer<Topics> connect,
            Consumer<CallException> disconnected) {
        this.servers = servers;
        this.address = address;
        this.admins = admins;
        this.connect = connect;
        this.disconnected = disconnected;
    }

    void start() {
        thread.scheduleWithFixedDelay(this::checkBroker, 0, 1, TimeUnit.SECONDS);
    }

    boolean up() {
        return down == null;
    }

    /** @throws CallException where calls cannot be made now */
    void requireUp() {
        String reason = down;
        if (reason != null) {
            throw new CallException(Outcome.UNAVAILABLE, reason);
        }
    }

    /** How many responders there are. */
    KafkaFuture<Integer> responders() {
        return admin().describeConsumerGroups(List.of(address.group()))
                .all()
                .thenApply(groups -> groups.values().iterator().next().members().size());
    }

    /** Made when it is needed first: that fails while the broker's name, and not only the broker, is unknown. */
    private synchronized Admin admin() {
        Admin opened = admin;
        if (opened == null) {
            opened = admins.get();
            admin = opened;
        }
        return opened;
    }

    /** To be told that the broker brought replies: it is there, however slow it is to answer the watch. */
    void repliesArrived() {
        lastReplyAt = System.nanoTime();
    }

    /** Throws nothing: an exception would end the schedule. */
    private void checkBroker() {
        long begun = System.nanoTime();
        try {
            try {
                connectIfPossible();
            } catch (ExecutionException | TimeoutException | RuntimeException e) {
                if (lastReplyAt - begun <= 0) {
                    markDown(e);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            log.error("Whether Kafka at {} is there could not be told to everybody", servers, e);
        }
    }

    private void connectIfPossible() throws ExecutionException, TimeoutException, InterruptedException {
        if (down != null) {
            makeReplyTopic();
        }
        Map<String, TopicDescription> topics =
                get(admin().describeTopics(topicNames()).allTopicNames());
        Set<Uuid> found =
                topics.values().stream().map(TopicDescription::topicId).collect(Collectors.toSet());
        if (!found.equals(connected)) {
            connect.accept(new DescribedTopics(topics));
            connected = found;
        }
        if (down != null) {
            log.info("Kafka at {} is there", servers);
            down = null;
        }
    }

    private List<String> topicNames() {
        return Stream.concat(Stream.of(address.replyTopic()), address.requestTopics().stream())
                .toList();
    }

    private void markDown(Exception error) {
        Throwable cause = error instanceof ExecutionException ? error.getCause() : error;
        boolean isAway = cause instanceof KafkaException || cause instanceof TimeoutException;
        String reason;
        if (cause instanceof AuthenticationException || cause instanceof AuthorizationException) {
            reason = "the Kafka broker at %s refuses this client: %s%s"
                    .formatted(servers, cause.getMessage(), because(error));
        } else if (cause instanceof UnknownTopicOrPartitionException) {
            reason = "the topics " + address.requestTopics() + " are not all there: no responder has been started yet";
        } else if (isAway) {
            reason = "no Kafka broker answers at " + servers + because(error);
        } else {
            reason = "the Kafka client failed: " + cause;
        }
        if (!reason.equals(down)) {
            log.warn("Kafka: {}; tries again each second", reason, isAway ? null : cause);
        }
        down = reason;
        disconnected.accept(new CallException(Outcome.UNAVAILABLE, reason));
    }

    /** What is wrong with TLS, or with a trust store. What other causes say may be a part of a password. */
    private static String because(Throwable error) {
        Throwable root = NestedExceptionUtils.getMostSpecificCause(error);
        return root instanceof IOException || root instanceof GeneralSecurityException ? ": " + root.getMessage() : "";
    }

    private void makeReplyTopic() throws ExecutionException, TimeoutException, InterruptedException {
        try {
            NewTopic replies = new NewTopic(address.replyTopic(), Optional.of(REPLY_PARTITIONS), Optional.empty());
            get(admin().createTopics(List.of(replies.configs(REPLY_TOPIC))).all());
        } catch (ExecutionException e) {
            if (!(e.getCause() instanceof TopicExistsException)) {
                throw e;
            }
        }
    }

    private static <T> T get(KafkaFuture<T> future) throws ExecutionException, TimeoutException, InterruptedException {
        return future.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    }

    private final class DescribedTopics implements Topics {

        private final Map<String, TopicDescription> topics;

        DescribedTopics(Map<String, TopicDescription> topics) {
            this.topics = topics;
        }

        @Override
        public int replyPartitions() {
            return Objects.requireNonNull(topics.get(address.replyTopic()))
                    .partitions()
                    .size();
        }

        @Override
        public int maxMessageBytes() {
            List<ConfigResource> resources = topics.keySet().stream()
                    .map(name -> new ConfigResource(ConfigResource.Type.TOPIC, name))
                    .toList();
            return ask(admin().describeConfigs(resources).all()).values().stream()
                    .map(topic ->
                            topic.get(TopicConfig.MAX_MESSAGE_BYTES_CONFIG).value())
                    .mapToInt(Integer::parseInt)
                    .min()
                    .orElseThrow();
        }

        @Override
        public long endOffset(TopicPartition partition) {
            return ask(admin().listOffsets(Map.of(partition, OffsetSpec.latest()))
                            .partitionResult(partition))
                    .offset();
        }

        private static <T> T ask(KafkaFuture<T> future) {
            try {
                return get(future);
            } catch (ExecutionException | TimeoutException e) {
                throw new KafkaException(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new KafkaException(e);
            }
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
        try {
            // Otherwise it might connect after whoever closes this has looked at what is connected.
            thread.awaitTermination(1, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        Admin opened = admin;
        if (opened != null) {
            opened.close(Duration.ofSeconds(1));
        }
    }
}
