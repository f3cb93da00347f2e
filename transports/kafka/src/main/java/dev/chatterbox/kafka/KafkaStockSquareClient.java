package dev.chatterbox.kafka;

import dev.chatterbox.client.CallException;
import dev.chatterbox.client.Deviation;
import dev.chatterbox.client.MessageLimit;
import dev.chatterbox.client.SquareClient;
import dev.chatterbox.client.SquareReply;
import dev.chatterbox.client.SquareRequest;
import dev.chatterbox.client.StockCalls;
import dev.chatterbox.connection.Daemon;
import dev.chatterbox.connection.KeptConnection;
import dev.chatterbox.variants.Variant;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.kafka.autoconfigure.KafkaProperties;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;
import org.springframework.kafka.listener.ConcurrentMessageListenerContainer;
import org.springframework.kafka.listener.ContainerProperties;
import org.springframework.kafka.requestreply.KafkaReplyTimeoutException;
import org.springframework.kafka.requestreply.ReplyingKafkaTemplate;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * What spring-kafka's documentation of request-reply shows first: a {@code ReplyingKafkaTemplate} with the defaults
 * of library and broker. The responder makes both topics. Replies arrive on the listener container's poll thread, a
 * deadline's error on the template's timer or on Reactor's.
 */
class KafkaStockSquareClient implements SquareClient {

    private static final Logger log = LoggerFactory.getLogger(KafkaStockSquareClient.class);

    private final KafkaSettings settings;
    private final KafkaProperties spring;
    private final String requestTopic;
    private final String replyTopic;
    private final DefaultKafkaProducerFactory<byte[], byte[]> producers;
    private final ReplyingKafkaTemplate<byte[], byte[], byte[]> template;

    /** Without a broker the producer blocks it, for up to a minute; the end of a call interrupts that. */
    private final Scheduler sending = Schedulers.newSingle("send-kafka-stock", true);

    private final StockCalls calls = new StockCalls(
            error -> CallException.unavailable("the Kafka client did not send the request: " + error.getMessage()));

    KafkaStockSquareClient(Variant variant, KafkaSettings settings, KafkaProperties spring) {
        this.settings = settings;
        this.spring = spring;
        requestTopic = variant.address("request-topic");
        replyTopic = variant.address("reply-topic");
        Map<String, Object> common = spring.buildAdminProperties();
        common.put(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, settings.servers());
        producers = new DefaultKafkaProducerFactory<>(common, new ByteArraySerializer(), new ByteArraySerializer());
        ContainerProperties replies = new ContainerProperties(replyTopic);
        // As the documentation says for several requesters: each reads every reply, and passes over those of others.
        replies.setGroupId("aggregator-" + (settings.instance().isBlank() ? UUID.randomUUID() : settings.instance()));
        template = new ReplyingKafkaTemplate<>(
                producers,
                new ConcurrentMessageListenerContainer<>(
                        new DefaultKafkaConsumerFactory<>(
                                common, new ByteArrayDeserializer(), new ByteArrayDeserializer()),
                        replies));
        template.setSharedReplyTopic(true);
        template.afterPropertiesSet();
    }

    @Override
    public Mono<SquareReply> square(SquareRequest request) {
        return calls.timed(
                request,
                () -> Mono.fromFuture(() -> template.sendAndReceive(
                                new ProducerRecord<>(requestTopic, request.body()), request.timeout()))
                        .subscribeOn(sending)
                        .map(reply -> KafkaSquareClient.read(request, reply))
                        .onErrorMap(KafkaReplyTimeoutException.class, timeout -> request.timedOut()));
    }

    /** The template knows only whether partitions were ever assigned. */
    @Override
    public Mono<Void> check() {
        return Mono.fromCallable(() -> template.waitForAssignment(Duration.ZERO))
                .filter(assigned -> assigned)
                .switchIfEmpty(
                        Mono.error(() -> CallException.unavailable("no Kafka broker at %s has assigned the topic %s yet"
                                .formatted(settings.servers(), replyTopic))))
                .then();
    }

    @Override
    public Set<Deviation> deviations() {
        return Set.of(
                Deviation.WAITS_FOR_THE_BROKER,
                Deviation.SHOWS_NO_OUTAGE,
                Deviation.KEEPS_CANCELLED_CALLS,
                Deviation.IGNORES_THE_STOP);
    }

    @Override
    public MessageLimit messageLimit() {
        return KafkaSquareClient.LIMIT;
    }

    @Override
    public Map<String, Object> settings() {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("servers", settings.servers());
        settings.showSecurity(shown, spring);
        shown.put("acks", "all");
        shown.put("linger.ms", "5");
        return shown;
    }

    @Override
    public void start() {
        Daemon.start("start of kafka-stock", this::startTemplate);
    }

    /** The template waits for a broker that is away, but throws where the name of one has no address yet. */
    private void startTemplate() {
        for (boolean logged = false; !calls.isStopped(); logged = true) {
            try {
                template.start();
                return;
            } catch (RuntimeException e) {
                template.stop();
                if (!logged) {
                    log.warn(
                            "The template does not start; tries again every {} ms", KeptConnection.PAUSE.toMillis(), e);
                }
            }
            LockSupport.parkNanos(KeptConnection.PAUSE.toNanos());
        }
    }

    @Override
    public void stop() {
        calls.stop();
        sending.dispose();
        template.stop();
        template.destroy();
        producers.destroy();
    }
}
