package dev.chatterbox.pulsar;

import dev.chatterbox.queue.QueueConnection;
import dev.chatterbox.queue.QueueConsumer;
import dev.chatterbox.queue.QueueListener;
import dev.chatterbox.queue.QueueListener.Answer;
import dev.chatterbox.queue.QueueSettings;
import dev.chatterbox.queue.Spread;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.PulsarClientException;
import org.apache.pulsar.client.api.SubscriptionInitialPosition;
import org.apache.pulsar.client.api.SubscriptionType;

/**
 * One-way messages over Pulsar: one persistent topic or several, whose messages are acknowledged when they are stored,
 * and a Shared subscription, or several. The library reconnects by itself.
 *
 * <p>A variant's settings: {@code url}; {@code admin-url}, {@code http://host:port}; {@code batching}, how many
 * milliseconds a message may wait for others.
 */
public final class PulsarQueue extends QueueConnection {

    @SuppressWarnings("NullAway.Init")
    private PulsarClient client;

    /** Empty until the queue is made; one for each topic. */
    private List<Producer<byte[]>> producers = List.of();

    public PulsarQueue(QueueSettings settings, QueueListener listener) {
        super(settings, listener);
    }

    @Override
    public void open() throws PulsarClientException {
        client = Pulsar.client(settings.client("url"));
        atClose(client::closeAsync);
    }

    @Override
    protected void make(Spread newSpread) throws Exception {
        Duration batching = Duration.ofMillis(settings.number("batching", "ms", 1));
        List<CompletableFuture<Producer<byte[]>>> opening = topics().stream()
                .map(topic -> Pulsar.producer(client, topic, batching)
                        .sendTimeout(ANSWER_MILLIS, TimeUnit.MILLISECONDS)
                        .createAsync())
                .toList();
        producers = opening.stream().map(CompletableFuture::join).toList();
    }

    /** The client library cannot delete a topic. */
    @Override
    public void remove() throws Exception {
        for (Producer<byte[]> producer : producers) {
            producer.close();
        }
        PulsarAdmin admin = new PulsarAdmin(settings.client("admin-url"));
        for (String topic : topics()) {
            admin.delete(topic).toFuture().get(ANSWER_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    @Override
    public void publish(int number, byte[] message) {
        producers
                .get(number % producers.size())
                .sendAsync(message)
                .whenComplete((stored, error) ->
                        listener.answered(number, error == null ? Answer.ACKNOWLEDGED : Answer.UNKNOWN));
    }

    @Override
    protected QueueConsumer consumer(Spread spread, int group, Consumer<byte[]> handler) throws PulsarClientException {
        return client.newConsumer()
                .topics(spread.topics(settings.queue()))
                .subscriptionName(spread.group(settings.group(), group))
                .subscriptionType(SubscriptionType.Shared)
                .subscriptionInitialPosition(SubscriptionInitialPosition.Earliest)
                .messageListener((consumer, message) -> {
                    handler.accept(message.getData());
                    consumer.acknowledgeAsync(message);
                })
                .subscribe()::close;
    }

    /** Never: the library reconnects. */
    @Override
    public void awaitEnd() throws InterruptedException {
        while (true) {
            TimeUnit.DAYS.sleep(1);
        }
    }
}
