package dev.chatterbox.aggregator.kafka;

import dev.chatterbox.aggregator.client.CallException;
import dev.chatterbox.aggregator.client.CallLimits;
import dev.chatterbox.aggregator.client.CorrelatedClient;
import dev.chatterbox.aggregator.client.MessageLimit;
import dev.chatterbox.aggregator.client.Outcome;
import dev.chatterbox.aggregator.client.SquareReply;
import dev.chatterbox.aggregator.client.SquareRequest;
import dev.chatterbox.kafka.KafkaOptions;
import dev.chatterbox.kafka.MessageHeaders;
import dev.chatterbox.kafka.Outages;
import dev.chatterbox.kafka.TopicAdmin;
import dev.chatterbox.rows.Row;
import dev.chatterbox.rows.Rows;
import dev.chatterbox.transport.Exchange;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.header.Header;
import org.springframework.boot.kafka.autoconfigure.KafkaProperties;

/**
 * Request-reply over Kafka: a record to the request topic that names, in spring-kafka's headers, a correlation id and
 * this aggregator's partition of the reply topic. As {@code ReplyingKafkaTemplate}, without its UUID, its future and
 * its timeout task a request. Replies arrive on the thread of the {@link dev.chatterbox.kafka.PartitionReader}.
 */
class KafkaSquareClient extends CorrelatedClient<KafkaRequester> {

    /** What a record's headers and frame take at the most. */
    private static final int FRAME = 1_024;

    static final MessageLimit LIMIT = new MessageLimit(
            KafkaRequester.MAX_REQUEST_SIZE - FRAME,
            "max.request.size of %d less %d".formatted(KafkaRequester.MAX_REQUEST_SIZE, FRAME));

    private static final int CORRELATION_BYTES = 2 * Long.BYTES;

    /** Chooses the reply partitions of this process where it is told no instance. */
    private static final int PROCESS = ThreadLocalRandom.current().nextInt();

    private final KafkaSettings settings;
    private final Outages outages;
    private final KafkaProperties spring;
    private final String requestTopic;
    private final String batchTopic;
    private final List<String> requestTopics;
    private final String replyTopic;
    private final String group;
    private final long maxBytesInFlight;
    private final int partitionOffset;

    /**
     * The first half of each correlation id: tells this client's replies from those of others on the same partition.
     */
    private final long requester = ThreadLocalRandom.current().nextLong();

    private volatile MessageLimit limit = LIMIT;

    /** @param spring what Kafka asks of those who connect, as of TLS and of the password; our own settings win */
    KafkaSquareClient(
            Row row,
            Rows rows,
            KafkaSettings settings,
            KafkaProperties spring,
            CallLimits limits,
            MeterRegistry meters) {
        super(
                row.name(),
                limits,
                meters,
                "the Kafka broker at " + settings.servers(),
                "no responder is in the group " + row.address("group"),
                Duration.ofSeconds(4));
        this.settings = settings;
        outages = new Outages(settings.servers(), "client");
        this.spring = spring;
        requestTopic = row.address("request-topic");
        batchTopic = TopicAdmin.batchTopic(requestTopic);
        requestTopics =
                row.exchanges().contains(Exchange.BATCH) ? List.of(requestTopic, batchTopic) : List.of(requestTopic);
        replyTopic = row.address("reply-topic");
        group = row.address("group");
        maxBytesInFlight = limits.maxBytesInFlight();
        partitionOffset = rows.all().stream()
                .filter(other -> replyTopic.equals(other.address().get("reply-topic")))
                .toList()
                .indexOf(row);
    }

    @Override
    protected KafkaRequester open() throws IOException, InterruptedException {
        Map<String, Object> options = KafkaOptions.merged(
                spring.buildAdminProperties(),
                KafkaOptions.COMMON,
                Map.of(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, settings.servers()));
        KafkaRequester opened = TopicAdmin.open(
                outages,
                options,
                admin -> new KafkaRequester(
                        admin,
                        outages,
                        options,
                        requestTopics,
                        replyTopic,
                        maxBytesInFlight,
                        partitions -> settings.replyPartition(partitions, PROCESS, partitionOffset),
                        this::replied));
        int taken = opened.maxMessageBytes();
        limit = taken < KafkaRequester.MAX_REQUEST_SIZE
                ? new MessageLimit(taken - FRAME, "max.message.bytes of %d less %d".formatted(taken, FRAME))
                : LIMIT;
        return opened;
    }

    @Override
    protected void send(KafkaRequester connection, long correlationId, SquareRequest request) {
        byte[] correlation = ByteBuffer.allocate(CORRELATION_BYTES)
                .putLong(requester)
                .putLong(correlationId)
                .array();
        try {
            connection.send(request.batch() ? batchTopic : requestTopic, correlation, request.body(), (sent, error) -> {
                if (error != null) {
                    fail(correlationId, notSent(error));
                }
            });
        } catch (KafkaException e) {
            throw notSent(e);
        }
    }

    private static CallException notSent(Exception error) {
        return new CallException(
                Outcome.UNAVAILABLE, "the Kafka broker did not take the request: " + error.getMessage());
    }

    private void replied(ConsumerRecord<byte[], byte[]> reply) {
        Header correlation = reply.headers().lastHeader(MessageHeaders.CORRELATION_ID);
        if (correlation == null || correlation.value() == null || correlation.value().length != CORRELATION_BYTES) {
            unmatched();
            return;
        }
        ByteBuffer id = ByteBuffer.wrap(correlation.value());
        if (id.getLong() == requester) {
            replied(id.getLong(), reply, KafkaSquareClient::read);
        }
    }

    /** @throws CallException it is an error reply, none that can be read, or not right */
    static SquareReply read(SquareRequest request, ConsumerRecord<byte[], byte[]> reply) {
        return request.read(MessageHeaders.error(reply.headers()), reply.value() == null ? new byte[0] : reply.value());
    }

    @Override
    protected int responders(KafkaRequester connection) throws InterruptedException {
        try {
            return connection.members(group);
        } catch (IOException e) {
            throw new CallException(Outcome.UNAVAILABLE, outages.problem(e));
        }
    }

    @Override
    public MessageLimit messageLimit() {
        return limit;
    }

    @Override
    public Map<String, Object> settings() {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("servers", settings.servers());
        settings.showSecurity(shown, spring);
        for (String option : List.of(
                ProducerConfig.ACKS_CONFIG, ProducerConfig.LINGER_MS_CONFIG, ProducerConfig.BATCH_SIZE_CONFIG)) {
            shown.put(option, String.valueOf(KafkaOptions.PRODUCER.get(option)));
        }
        return shown;
    }
}
