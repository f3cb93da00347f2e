package dev.chatterbox.square.rsocket;

import dev.chatterbox.square.common.Requester;
import dev.chatterbox.square.common.Wire;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.Unpooled;
import io.rsocket.Payload;
import io.rsocket.RSocket;
import io.rsocket.core.RSocketConnector;
import io.rsocket.exceptions.InvalidException;
import io.rsocket.metadata.CompositeMetadataCodec;
import io.rsocket.metadata.TaggingMetadataCodec;
import io.rsocket.metadata.WellKnownMimeType;
import io.rsocket.transport.netty.client.TcpClientTransport;
import io.rsocket.util.DefaultPayload;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** A connection with the library's defaults, and bytes written by hand. */
record BareRSocketClient(RSocket rsocket) implements Requester {

    static BareRSocketClient connect(int port) {
        return connect(RSocketConnector.create(), port);
    }

    /** One whose requests name a route. */
    static BareRSocketClient routed(int port) {
        return connect(
                RSocketConnector.create()
                        .metadataMimeType(WellKnownMimeType.MESSAGE_RSOCKET_COMPOSITE_METADATA.getString()),
                port);
    }

    static BareRSocketClient connect(RSocketConnector connector, int port) {
        return new BareRSocketClient(
                connector.connect(TcpClientTransport.create("127.0.0.1", port)).block());
    }

    @Override
    public CompletableFuture<Answer> ask(int number) {
        return send(Wire.input(number))
                .thenApply(reply -> Wire.output(reply, number))
                .exceptionally(error -> {
                    if (error instanceof CompletionException wrapped
                            && wrapped.getCause() instanceof InvalidException invalid) {
                        return new Answer(400, String.valueOf(invalid.getMessage()));
                    }
                    throw new AssertionError(error);
                });
    }

    CompletableFuture<byte[]> send(byte[] body) {
        return send(DefaultPayload.create(body));
    }

    CompletableFuture<byte[]> send(byte[] body, byte[] metadata) {
        return send(DefaultPayload.create(body, metadata));
    }

    /** The bytes of the reply, none where it completes without a payload. */
    private CompletableFuture<byte[]> send(Payload request) {
        return rsocket.requestResponse(request)
                .map(reply -> ByteBufUtil.getBytes(reply.data()))
                .defaultIfEmpty(new byte[0])
                .toFuture();
    }

    static byte[] route(String route) {
        CompositeByteBuf metadata = Unpooled.compositeBuffer();
        CompositeMetadataCodec.encodeAndAddMetadata(
                metadata,
                ByteBufAllocator.DEFAULT,
                WellKnownMimeType.MESSAGE_RSOCKET_ROUTING,
                TaggingMetadataCodec.createRoutingMetadata(ByteBufAllocator.DEFAULT, List.of(route))
                        .getContent());
        try {
            return ByteBufUtil.getBytes(metadata);
        } finally {
            metadata.release();
        }
    }

    @Override
    public void close() {
        rsocket.dispose();
    }
}
