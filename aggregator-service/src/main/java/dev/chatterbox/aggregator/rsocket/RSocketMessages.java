package dev.chatterbox.aggregator.rsocket;

import dev.chatterbox.aggregator.client.CallException;
import dev.chatterbox.aggregator.client.Outcome;
import dev.chatterbox.aggregator.client.SquareRequest;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.Unpooled;
import io.rsocket.Payload;
import io.rsocket.RSocket;
import io.rsocket.RSocketErrorException;
import io.rsocket.frame.ErrorFrameCodec;
import io.rsocket.metadata.CompositeMetadataCodec;
import io.rsocket.metadata.TaggingMetadataCodec;
import io.rsocket.metadata.WellKnownMimeType;
import io.rsocket.util.ByteBufPayload;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Calls and their ends as docs/adding-a-transport.md has them for RSocket. */
final class RSocketMessages {

    /** Of the requests' metadata, where they have any. */
    static final String METADATA = WellKnownMimeType.MESSAGE_RSOCKET_COMPOSITE_METADATA.getString();

    static final String SQUARE_ROUTE = "square.unary";

    /** A request to it completes without a payload, and no square service counts it. */
    static final String HEALTH_ROUTE = "health";

    private static final Pattern JAR = Pattern.compile("rsocket-core-([\\w.-]+?)\\.jar");

    private RSocketMessages() {}

    /** Of this rsocket-java, whose jar says it by its name alone. */
    static String version() {
        Matcher jar = JAR.matcher(String.valueOf(
                RSocket.class.getProtectionDomain().getCodeSource().getLocation()));
        return jar.find() ? "rsocket-java " + jar.group(1) : "rsocket-java";
    }

    /** The library releases it when it is sent. */
    static Payload payload(SquareRequest request) {
        return ByteBufPayload.create(request.body());
    }

    /** The library releases it when it is sent. */
    static Payload health() {
        CompositeByteBuf metadata = ByteBufAllocator.DEFAULT.compositeBuffer();
        CompositeMetadataCodec.encodeAndAddMetadata(
                metadata,
                ByteBufAllocator.DEFAULT,
                WellKnownMimeType.MESSAGE_RSOCKET_ROUTING,
                TaggingMetadataCodec.createRoutingMetadata(ByteBufAllocator.DEFAULT, List.of(HEALTH_ROUTE))
                        .getContent());
        return ByteBufPayload.create(Unpooled.EMPTY_BUFFER, metadata);
    }

    /** A reply's bytes; releases it. */
    static byte[] body(Payload reply) {
        try {
            return ByteBufUtil.getBytes(reply.data());
        } finally {
            reply.release();
        }
    }

    static CallException unreadable(String reason) {
        return new CallException(Outcome.ERROR, "a reply that is not a square.Output message: " + reason);
    }

    /** What the end of a call means that got no reply. */
    static CallException callException(Throwable error) {
        String reason = error.getMessage() == null ? error.getClass().getSimpleName() : error.getMessage();
        if (error instanceof CallException known) {
            return known;
        }
        if (error instanceof RSocketErrorException said) {
            int code = said.errorCode();
            // Lower codes are of the connection, and the library gives them to all calls on it; what was rejected, by
            // a square service that stops, was not looked at.
            return code < ErrorFrameCodec.APPLICATION_ERROR || code == ErrorFrameCodec.REJECTED
                    ? unavailable(reason)
                    : new CallException(Outcome.ERROR, "an error reply: %s: %s".formatted(name(code), reason));
        }
        // A connection that is not made or breaks; one that this client has closed.
        if (error instanceof IOException || error instanceof CancellationException) {
            return unavailable(reason);
        }
        return unreadable(reason);
    }

    static CallException unavailable(String reason) {
        return new CallException(Outcome.UNAVAILABLE, "no square service answers: " + reason);
    }

    /** As the protocol calls them. */
    private static String name(int code) {
        return switch (code) {
            case ErrorFrameCodec.APPLICATION_ERROR -> "APPLICATION_ERROR";
            case ErrorFrameCodec.CANCELED -> "CANCELED";
            case ErrorFrameCodec.INVALID -> "INVALID";
            default -> "0x%08X".formatted(code);
        };
    }
}
