package dev.chatterbox.rsocket;

import dev.chatterbox.responder.Requester;
import io.rsocket.Payload;
import io.rsocket.RSocket;
import io.rsocket.core.RSocketConnector;
import io.rsocket.exceptions.InvalidException;
import io.rsocket.transport.netty.client.TcpClientTransport;
import io.rsocket.util.DefaultPayload;
import java.util.concurrent.CompletableFuture;
import reactor.core.publisher.Mono;

/** A connection with the library's defaults, except that its requests may name a route. Bytes are written by hand. */
record BareRSocketClient(RSocket rsocket) implements Requester {

    static BareRSocketClient connect(RSocketConnector connector, int port) {
        return new BareRSocketClient(
                connector.connect(TcpClientTransport.create("127.0.0.1", port)).block());
    }

    @Override
    public CompletableFuture<Message> send(boolean batch, byte[] body) {
        return send(DefaultPayload.create(body));
    }

    /** Completes with no bytes where the reply has no payload. */
    CompletableFuture<Message> send(Payload request) {
        return rsocket.requestResponse(request)
                .map(reply -> Message.of(Protocol.body(reply)))
                .defaultIfEmpty(Message.of(new byte[0]))
                .onErrorResume(
                        InvalidException.class,
                        error -> Mono.just(Message.error(400, String.valueOf(error.getMessage()))))
                .toFuture();
    }

    @Override
    public void close() {
        rsocket.dispose();
    }
}
