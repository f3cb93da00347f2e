package dev.chatterbox.nats;

import dev.chatterbox.responder.Requester;
import io.nats.client.Connection;
import io.nats.client.Nats;
import io.nats.client.Options;
import io.nats.client.impl.Headers;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** jnats alone, without its JetStream classes: it publishes to the stream's subject; a header has the reply subject. */
final class BareJetStreamClient implements Requester {

    private final Connection connection;
    private final String subject;
    private final String inbox;
    private final AtomicInteger sequence = new AtomicInteger();
    private final Map<String, CompletableFuture<io.nats.client.Message>> waiting = new ConcurrentHashMap<>();

    private BareJetStreamClient(Connection connection, String subject) {
        this.connection = connection;
        this.subject = subject;
        inbox = connection.createInbox();
        connection
                .createDispatcher(reply -> {
                    CompletableFuture<io.nats.client.Message> future = waiting.remove(reply.getSubject());
                    if (future != null) {
                        future.complete(reply);
                    }
                })
                .subscribe(inbox + ".*");
    }

    static BareJetStreamClient connect(int port, String subject) {
        try {
            return new BareJetStreamClient(
                    Nats.connect(new Options.Builder()
                            .server("nats://127.0.0.1:" + port)
                            .maxMessagesInOutgoingQueue(100_000)
                            .build()),
                    subject);
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public CompletableFuture<Message> send(boolean batch, byte[] body) {
        return send(body, new Headers()).thenApply(BareNatsClient::message);
    }

    CompletableFuture<io.nats.client.Message> send(byte[] body, Headers headers) {
        String replyTo = inbox + "." + sequence.incrementAndGet();
        CompletableFuture<io.nats.client.Message> future = new CompletableFuture<>();
        waiting.put(replyTo, future);
        connection.publish(subject, headers.put("Reply-To", replyTo), body);
        return future;
    }

    Connection connection() {
        return connection;
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
