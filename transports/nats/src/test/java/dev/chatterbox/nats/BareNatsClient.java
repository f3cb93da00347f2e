package dev.chatterbox.nats;

import dev.chatterbox.responder.Requester;
import io.nats.client.Connection;
import io.nats.client.Nats;
import io.nats.client.Options;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;

/** jnats alone, and bytes written by hand. */
record BareNatsClient(Connection connection, String subject) implements Requester {

    static BareNatsClient connect(int port, String subject) {
        try {
            return new BareNatsClient(
                    Nats.connect(new Options.Builder()
                            .server("nats://127.0.0.1:" + port)
                            .build()),
                    subject);
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public CompletableFuture<Message> send(boolean batch, byte[] body) {
        return connection.request(batch ? subject + ".batch" : subject, body).thenApply(BareNatsClient::message);
    }

    static Message message(io.nats.client.Message reply) {
        return reply.hasHeaders() && reply.getHeaders().containsKey("Nats-Service-Error-Code")
                ? new Message(
                        Integer.parseInt(reply.getHeaders().getFirst("Nats-Service-Error-Code")),
                        reply.getHeaders().getFirst("Nats-Service-Error"),
                        reply.getData())
                : Message.of(reply.getData());
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
