package dev.chatterbox.square.nats;

import dev.chatterbox.square.common.MessageRequester;
import dev.chatterbox.square.common.Wire;
import io.nats.client.Connection;
import io.nats.client.Nats;
import io.nats.client.Options;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;

/** jnats alone, and bytes written by hand. */
record BareNatsClient(Connection connection, String subject) implements MessageRequester {

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
    public CompletableFuture<Answer> ask(int number) {
        return send(Wire.input(number)).thenApply(reply -> answer(reply, number));
    }

    CompletableFuture<io.nats.client.Message> send(byte[] body) {
        return connection.request(subject, body);
    }

    @Override
    public CompletableFuture<Message> send(boolean batch, byte[] body) {
        return connection
                .request(batch ? subject + ".batch" : subject, body)
                .thenApply(reply -> reply.hasHeaders()
                        ? Message.error(
                                Integer.parseInt(reply.getHeaders().getFirst("Nats-Service-Error-Code")),
                                reply.getHeaders().getFirst("Nats-Service-Error"))
                        : Message.of(reply.getData()));
    }

    static Answer answer(io.nats.client.Message reply, int number) {
        if (!reply.hasHeaders()) {
            return Wire.output(reply.getData(), number);
        }
        return new Answer(
                Integer.parseInt(reply.getHeaders().getFirst("Nats-Service-Error-Code")),
                reply.getHeaders().getFirst("Nats-Service-Error"));
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
