package dev.chatterbox.square.pulsar;

import dev.chatterbox.square.common.Reply;
import dev.chatterbox.square.common.SquareResponder;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.Message;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.PulsarClientException;
import org.apache.pulsar.client.api.SizeUnit;
import org.apache.pulsar.client.api.SubscriptionInitialPosition;
import org.apache.pulsar.client.api.SubscriptionType;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * Answers what is sent to the topic of requests, and batches that are sent to that topic and {@code .batch}, as one of
 * those that share a subscription. Tries until the broker is there; from then on the client reconnects by itself.
 */
@Component
class PulsarResponder implements SmartLifecycle, HealthIndicator {

    private static final Logger log = LoggerFactory.getLogger(PulsarResponder.class);

    /** A property of a request: the topic to reply to. */
    static final String REPLY_TOPIC = "reply_topic";

    private static final Duration RETRY_WAIT = Duration.ofMillis(500);

    /** After so long without a reply a topic loses its producer, which would keep it in the broker. */
    private static final Duration SWEEP = Duration.ofSeconds(30);

    /** What is sent is stored, and what is done acknowledged, within twice this, or not at all. */
    private static final Duration CLOSE = Duration.ofMillis(1_500);

    private final String url;
    private final String topic;
    private final String subscription;
    private final Duration batching;
    private final SquareResponder responder;
    private final List<Consumer<byte[]>> consumers = new CopyOnWriteArrayList<>();
    private volatile @Nullable Thread thread;

    PulsarResponder(
            @Value("${pulsar.url}") String url,
            @Value("${pulsar.topic}") String topic,
            @Value("${pulsar.subscription}") String subscription,
            @Value("${pulsar.batching}") Duration batching,
            SquareResponder responder) {
        this.url = url;
        this.topic = topic;
        this.subscription = subscription;
        this.batching = batching;
        this.responder = responder;
    }

    @Override
    public void start() {
        Thread started = new Thread(this::run, "pulsar-responder");
        started.setDaemon(true);
        thread = started;
        started.start();
    }

    private void run() {
        PulsarClient client;
        try {
            client = client();
        } catch (PulsarClientException e) {
            log.error("Answers nothing: {}", e.getMessage());
            return;
        }
        Replies replies = new Replies(client, batching, responder);
        try {
            subscribe(client, replies);
            while (true) {
                TimeUnit.NANOSECONDS.sleep(SWEEP.toNanos());
                replies.closeUnused();
            }
        } catch (InterruptedException stopped) {
            close(client, replies);
        }
    }

    private PulsarClient client() throws PulsarClientException {
        return PulsarClient.builder()
                .serviceUrl(url)
                .connectionTimeout(2, TimeUnit.SECONDS)
                .lookupTimeout(3, TimeUnit.SECONDS)
                .operationTimeout(3, TimeUnit.SECONDS)
                // Back within a second when the broker is. By default up to 60 s.
                .startingBackoffInterval(100, TimeUnit.MILLISECONDS)
                .maxBackoffInterval(500, TimeUnit.MILLISECONDS)
                // A broker that says nothing for twice as long is gone. By default 30 s.
                .keepAliveInterval(5, TimeUnit.SECONDS)
                // By default sending fails where 64 MB wait for the broker: what is in flight is bounded by requesters.
                .memoryLimit(0, SizeUnit.BYTES)
                .statsInterval(0, TimeUnit.SECONDS)
                .build();
    }

    private void subscribe(PulsarClient client, Replies replies) throws InterruptedException {
        boolean told = false;
        while (consumers.size() < 2) {
            try {
                boolean batches = consumers.size() == 1;
                consumers.add(client.newConsumer()
                        .topic(batches ? topic + ".batch" : topic)
                        .subscriptionName(subscription)
                        .subscriptionType(SubscriptionType.Shared)
                        .subscriptionInitialPosition(SubscriptionInitialPosition.Earliest)
                        .messageListener((consumer, request) -> answer(consumer, request, batches, replies))
                        .subscribeAsync()
                        .get());
            } catch (ExecutionException e) {
                if (!told) {
                    log.warn("No Pulsar broker answers at {} yet ({}); keeps trying", url, e.getMessage());
                    told = true;
                }
                TimeUnit.NANOSECONDS.sleep(RETRY_WAIT.toNanos());
            }
        }
        log.info("Answers what comes to {} at {}", topic, url);
    }

    /** Runs on the client's listener thread, one request after the other. */
    private void answer(Consumer<byte[]> consumer, Message<byte[]> request, boolean batch, Replies replies) {
        String replyTopic = request.getProperty(REPLY_TOPIC);
        if (replyTopic == null) {
            responder.refuse("it names no topic to reply to in the property " + REPLY_TOPIC, Reply.NOWHERE);
        } else if (batch) {
            responder.answerBatch(request.getData(), replies.to(replyTopic, request));
        } else {
            responder.answer(request.getData(), replies.to(replyTopic, request));
        }
        // Of a delayed answer, when its delay begins. Where the connection is gone, the request comes again.
        consumer.acknowledgeAsync(request);
    }

    private void close(PulsarClient client, Replies replies) {
        await(consumers.stream().map(Consumer::closeAsync));
        await(replies.close());
        client.closeAsync();
    }

    private static void await(Stream<CompletableFuture<Void>> closing) {
        try {
            CompletableFuture.allOf(closing.toArray(CompletableFuture[]::new))
                    .get(CLOSE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            log.warn("Some requests may be answered twice, or not: {}", e.toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public Health health() {
        boolean connected = consumers.size() == 2 && consumers.stream().allMatch(Consumer::isConnected);
        Health.Builder health = connected
                ? Health.up()
                : Health.down().withDetail("reason", "not connected to " + url + "; it keeps trying");
        return health.withDetail("url", url).build();
    }

    /** Takes no more requests, answers what it is at, gives the others back to the subscription, closes. */
    @Override
    public void stop() {
        Thread started = thread;
        thread = null;
        if (started == null) {
            return;
        }
        started.interrupt();
        try {
            started.join(3 * CLOSE.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public boolean isRunning() {
        return thread != null;
    }
}
