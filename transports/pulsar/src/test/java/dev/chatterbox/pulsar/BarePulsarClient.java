package dev.chatterbox.pulsar;

import dev.chatterbox.responder.Requester;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.apache.pulsar.client.api.MessageId;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.PulsarClientException;
import org.apache.pulsar.client.api.TypedMessageBuilder;

/** The client's library alone, a reader of a topic of replies, and properties and bytes written by hand. */
final class BarePulsarClient implements Requester {

    private final PulsarClient client;
    private final Producer<byte[]> requests;
    private final Producer<byte[]> batches;
    private final String replyTopic = "test.replies." + UUID.randomUUID();
    private final Map<String, CompletableFuture<Message>> waiting = new ConcurrentHashMap<>();

    BarePulsarClient(String url, String topic) {
        try {
            client = PulsarClient.builder()
                    .serviceUrl(url)
                    .startingBackoffInterval(100, TimeUnit.MILLISECONDS)
                    .maxBackoffInterval(500, TimeUnit.MILLISECONDS)
                    .build();
            client.newReader()
                    .topic(replyTopic)
                    .startMessageId(MessageId.latest)
                    .readerListener((reader, reply) -> receive(reply.getProperties(), reply.getData()))
                    .create();
            requests = producer(topic);
            batches = producer(topic + ".batch");
        } catch (PulsarClientException e) {
            throw new IllegalStateException(e);
        }
    }

    private Producer<byte[]> producer(String topic) throws PulsarClientException {
        return client.newProducer()
                .topic(topic)
                .maxPendingMessages(0)
                .enableBatching(false)
                .create();
    }

    private void receive(Map<String, String> properties, byte[] body) {
        CompletableFuture<Message> waits = waiting.get(properties.getOrDefault("correlation_id", ""));
        if (waits != null) {
            String code = properties.get("chatterbox_error_code");
            waits.complete(
                    code == null
                            ? Message.of(body)
                            : new Message(Integer.parseInt(code), properties.get("chatterbox_error"), body));
        }
    }

    @Override
    public CompletableFuture<Message> send(boolean batch, byte[] body) {
        return send(batch ? batches : requests, body, request -> request);
    }

    /** @param change makes a correct request wrong */
    CompletableFuture<Message> send(byte[] body, UnaryOperator<TypedMessageBuilder<byte[]>> change) {
        return send(requests, body, change);
    }

    private CompletableFuture<Message> send(
            Producer<byte[]> producer, byte[] body, UnaryOperator<TypedMessageBuilder<byte[]>> change) {
        String id = UUID.randomUUID().toString();
        CompletableFuture<Message> reply = new CompletableFuture<>();
        waiting.put(id, reply);
        change.apply(producer.newMessage()
                        .value(body)
                        .property("reply_topic", replyTopic)
                        .property("correlation_id", id))
                .sendAsync();
        return reply;
    }

    void sendWithoutProperties(byte[] body) {
        requests.newMessage().value(body).sendAsync();
    }

    /** Does not wait for the library's threads, which take two seconds to end. */
    @Override
    public void close() {
        client.closeAsync();
    }
}
