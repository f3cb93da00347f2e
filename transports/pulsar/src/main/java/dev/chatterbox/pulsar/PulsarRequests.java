package dev.chatterbox.pulsar;

import com.google.protobuf.MessageLite;
import dev.chatterbox.connection.BrokerConnection;
import dev.chatterbox.connection.Opening;
import dev.chatterbox.responder.Reply;
import dev.chatterbox.responder.SquareResponder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.Message;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.PulsarClientException;
import org.apache.pulsar.client.api.SubscriptionInitialPosition;
import org.apache.pulsar.client.api.SubscriptionType;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Receives requests from the topic, and batches from the topic with {@code .batch}, over a subscription that all
 * responders share. It survives an outage of the broker, after which the library reconnects by itself.
 */
final class PulsarRequests implements BrokerConnection {

    private static final Logger log = LoggerFactory.getLogger(PulsarRequests.class);

    /** A reply producer that was not used for so many seconds is closed: it would keep its topic in the broker. */
    private static final int SWEEP_SECONDS = 30;

    /** For so many seconds the library may connect a consumer again. After some errors it never tries again. */
    private static final int PATIENCE_SECONDS = 5;

    /** Closing takes at most twice this time. Replies not stored and requests not acknowledged by then are given up. */
    private static final Duration CLOSE_WITHIN = Duration.ofMillis(1_500);

    private final String url;
    private final String subscription;
    private final SquareResponder responder;
    private final PulsarClient client;
    private final ReplyProducers replies;
    private final List<Consumer<byte[]>> consumers = new ArrayList<>();
    private volatile boolean closing;

    private PulsarRequests(
            String url, String subscription, SquareResponder responder, PulsarClient client, ReplyProducers replies) {
        this.url = url;
        this.subscription = subscription;
        this.responder = responder;
        this.client = client;
        this.replies = replies;
    }

    static PulsarRequests open(
            String url, String topic, String subscription, Duration batching, SquareResponder responder)
            throws Exception {
        PulsarClient client = Pulsar.client(url);
        PulsarRequests opened = new PulsarRequests(
                url, subscription, responder, client, new ReplyProducers(client, batching, responder));
        return Opening.orClose(client::closeAsync, () -> {
            opened.subscribe(topic, false);
            opened.subscribe(Pulsar.batches(topic), true);
            return opened;
        });
    }

    private void subscribe(String topic, boolean batches) throws PulsarClientException {
        consumers.add(client.newConsumer()
                .topic(topic)
                .subscriptionName(subscription)
                .subscriptionType(SubscriptionType.Shared)
                .subscriptionInitialPosition(SubscriptionInitialPosition.Earliest)
                .messageListener((consumer, request) -> answer(consumer, request, batches))
                .subscribe());
    }

    /**
     * Runs on the client's listener thread, one request after the other. A request is acknowledged when its reply is
     * stored, or never will be: one whose responder dies or closes before comes again.
     */
    private void answer(Consumer<byte[]> consumer, Message<byte[]> request, boolean batch) {
        if (closing) {
            return;
        }
        String replyTopic = request.getProperty(Pulsar.REPLY_TOPIC);
        if (replyTopic == null) {
            responder.refuse("it names no topic to reply to in the property " + Pulsar.REPLY_TOPIC, Reply.NOWHERE);
            consumer.acknowledgeAsync(request);
            return;
        }
        Reply<MessageLite> reply = replies.to(replyTopic, request, stored -> {
            // A reply that came too late for a producer that closes: another responder answers.
            if (stored || !closing) {
                consumer.acknowledgeAsync(request);
            }
        });
        boolean answered =
                batch ? responder.answerBatch(request.getData(), reply) : responder.answer(request.getData(), reply);
        if (!answered) {
            consumer.acknowledgeAsync(request);
        }
    }

    @Override
    public @Nullable String problem() {
        return consumers.stream().allMatch(Consumer::isConnected)
                ? null
                : "not connected to " + Pulsar.broker(url) + "; it keeps trying";
    }

    /** Ends when a consumer was not connected for some seconds. */
    @Override
    public void awaitEnd() throws InterruptedException {
        int away = 0;
        for (int second = 1; away < PATIENCE_SECONDS; second++) {
            TimeUnit.SECONDS.sleep(1);
            away = problem() == null ? 0 : away + 1;
            if (second % SWEEP_SECONDS == 0) {
                replies.closeUnused();
            }
        }
    }

    /** Takes no more requests, answers the current ones, and gives the others back to the subscription. */
    @Override
    public void close() {
        closing = true;
        await(replies.close());
        await(consumers.stream().map(Consumer::closeAsync));
        client.closeAsync();
    }

    private static void await(Stream<CompletableFuture<Void>> closing) {
        try {
            CompletableFuture.allOf(closing.toArray(CompletableFuture[]::new))
                    .get(CLOSE_WITHIN.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            log.warn("Some requests may be answered twice, or not: {}", e.toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
