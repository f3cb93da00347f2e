package dev.chatterbox.pulsar;

import dev.chatterbox.queue.QueueConnection;
import dev.chatterbox.queue.QueueListener;
import dev.chatterbox.queue.QueueSide;
import dev.chatterbox.queue.Spread;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.MessageId;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.PulsarClientException;
import org.apache.pulsar.client.api.Reader;
import org.apache.pulsar.client.api.SubscriptionInitialPosition;
import org.apache.pulsar.client.api.SubscriptionType;
import org.jspecify.annotations.Nullable;

/**
 * The exchange {@code queue} over Pulsar: a persistent topic of its own, or several, whose messages are acknowledged
 * when they are stored, and a Shared subscription, or several. The library reconnects by itself.
 */
public final class PulsarQueue implements QueueConnection {

    private static final int NO_CONTENT = 204;
    private static final int NOT_FOUND = 404;

    private final Settings settings;
    private final String queue;
    private final QueueListener listener;
    private final PulsarClient client;
    private final Reader<byte[]> hearing;
    private final Producer<byte[]> telling;

    /** Empty until the queue is made; one for each topic. */
    private List<Producer<byte[]>> producers = List.of();

    private List<String> topics = List.of();

    /**
     * @param adminUrl of the broker, {@code http://host:port}; only the requester uses it
     * @param topic of requests
     * @param subscription of the responders
     * @param batching how long a message may wait for others; zero if it does not wait
     */
    public record Settings(String url, String adminUrl, String topic, String subscription, Duration batching) {}

    private PulsarQueue(PulsarClient client, QueueSide side, Settings settings, QueueListener listener)
            throws PulsarClientException {
        this.client = client;
        this.settings = settings;
        this.listener = listener;
        queue = QueueSide.queue(settings.topic());
        hearing = client.newReader()
                .topic(side.hears(queue))
                .startMessageId(MessageId.latest)
                .readerListener((from, told) -> listener.told(told.getData()))
                .create();
        telling = Pulsar.producer(client, side.tells(queue), Duration.ZERO).create();
    }

    public static PulsarQueue open(QueueSide side, Settings settings, QueueListener listener)
            throws PulsarClientException {
        PulsarClient client = Pulsar.client(settings.url());
        try {
            return new PulsarQueue(client, side, settings, listener);
        } catch (PulsarClientException | RuntimeException e) {
            client.closeAsync();
            throw e;
        }
    }

    @Override
    public void make(Spread spread, boolean empty) throws Exception {
        topics = spread.topics(queue);
        if (empty) {
            remove();
        }
        List<CompletableFuture<Producer<byte[]>>> opening = topics.stream()
                .map(topic -> Pulsar.producer(client, topic, settings.batching())
                        .sendTimeout(ANSWER_MILLIS, TimeUnit.MILLISECONDS)
                        .createAsync())
                .toList();
        producers = opening.stream().map(CompletableFuture::join).toList();
    }

    @Override
    public List<String> topics() {
        return topics;
    }

    /** The client library cannot delete a topic. */
    @Override
    public void remove() throws Exception {
        for (Producer<byte[]> producer : producers) {
            producer.close();
        }
        HttpClient http = HttpClient.newHttpClient();
        for (String topic : topics) {
            remove(http, topic);
        }
    }

    private void remove(HttpClient http, String name) throws IOException, InterruptedException {
        URI topic =
                URI.create("%s/admin/v2/persistent/public/default/%s?force=true".formatted(settings.adminUrl(), name));
        HttpResponse<String> answer = http.send(
                HttpRequest.newBuilder(topic)
                        .DELETE()
                        .timeout(Duration.ofMillis(ANSWER_MILLIS))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() != NO_CONTENT && answer.statusCode() != NOT_FOUND) {
            throw new IOException("the broker answered %d: %s".formatted(answer.statusCode(), answer.body()));
        }
    }

    @Override
    public boolean isAcknowledged() {
        return true;
    }

    @Override
    public void publish(int number, byte[] message) {
        producers.get(number % producers.size()).sendAsync(message).whenComplete((stored, error) -> {
            if (error == null) {
                listener.acknowledged(number);
            } else {
                listener.unknown(number);
            }
        });
    }

    @Override
    public AutoCloseable consume(Spread spread, int group, int consumers, java.util.function.Consumer<byte[]> taken)
            throws Exception {
        List<Consumer<byte[]>> open = new ArrayList<>();
        try {
            for (int i = 0; i < consumers; i++) {
                open.add(client.newConsumer()
                        .topics(spread.topics(queue))
                        .subscriptionName(spread.group(settings.subscription(), group))
                        .subscriptionType(SubscriptionType.Shared)
                        .subscriptionInitialPosition(SubscriptionInitialPosition.Earliest)
                        .messageListener((consumer, message) -> {
                            taken.accept(message.getData());
                            consumer.acknowledgeAsync(message);
                        })
                        .subscribe());
            }
        } catch (PulsarClientException | RuntimeException e) {
            close(open);
            throw e;
        }
        return () -> close(open);
    }

    private static void close(List<Consumer<byte[]>> consumers) throws PulsarClientException {
        for (Consumer<byte[]> consumer : consumers) {
            consumer.close();
        }
    }

    @Override
    public void tell(byte[] message) {
        telling.sendAsync(message);
    }

    @Override
    public @Nullable String problem() {
        return hearing.isConnected() && telling.isConnected()
                ? null
                : "not connected to " + Pulsar.broker(settings.url()) + "; it keeps trying";
    }

    /** Never: the library reconnects. */
    @Override
    public void awaitEnd() throws InterruptedException {
        while (true) {
            TimeUnit.DAYS.sleep(1);
        }
    }

    @Override
    public void close() {
        client.closeAsync();
    }
}
