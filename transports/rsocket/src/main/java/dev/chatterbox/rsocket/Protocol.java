package dev.chatterbox.rsocket;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.Unpooled;
import io.rsocket.ConnectionSetupPayload;
import io.rsocket.Payload;
import io.rsocket.RSocket;
import io.rsocket.RSocketErrorException;
import io.rsocket.frame.ErrorFrameCodec;
import io.rsocket.metadata.CompositeMetadata;
import io.rsocket.metadata.CompositeMetadataCodec;
import io.rsocket.metadata.RoutingMetadata;
import io.rsocket.metadata.TaggingMetadataCodec;
import io.rsocket.metadata.WellKnownMimeType;
import io.rsocket.util.ByteBufPayload;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Requests, replies and errors as docs/wire-contract.md has them for RSocket. */
public final class Protocol {

    /** The route of a request for a square; a request without a route has this one. */
    public static final String SQUARE = "square.unary";

    /** A request to it completes without a payload, and no square service counts it. */
    public static final String HEALTH = "health";

    /** The type of the metadata by which a request may name its route. */
    public static final String METADATA = WellKnownMimeType.MESSAGE_RSOCKET_COMPOSITE_METADATA.getString();

    /** The type of the metadata that names the span of a call, for which the protocol has none of W3C's. */
    private static final String TRACE_PARENT = "text/x-traceparent";

    /** The type of a reply's metadata that says when the responder worked on the call. */
    private static final String WORK = "text/x-chatterbox-work";

    private static final String ROUTING = WellKnownMimeType.MESSAGE_RSOCKET_ROUTING.getString();

    /** The route of a square, encoded once. Senders release a duplicate of it, and never the buffer itself. */
    private static final ByteBuf SQUARE_ROUTE = squareRoute();

    private static final Pattern JAR = Pattern.compile("rsocket-core-([\\w.-]+?)\\.jar");

    private Protocol() {}

    /** The library's name and version; only the name of the library's jar holds the version. */
    public static String version() {
        Matcher jar = JAR.matcher(String.valueOf(
                RSocket.class.getProtectionDomain().getCodeSource().getLocation()));
        return jar.find() ? "rsocket-java " + jar.group(1) : "rsocket-java";
    }

    /** A request for a square that names its route; the library releases it when it is sent. */
    public static Payload square(byte[] data) {
        return ByteBufPayload.create(Unpooled.wrappedBuffer(data), SQUARE_ROUTE.duplicate());
    }

    /** A request that names any route; the library releases it when it is sent. */
    public static Payload request(byte[] data, String route) {
        return ByteBufPayload.create(Unpooled.wrappedBuffer(data), metadata(route));
    }

    /** The same as {@link #square}, of a call that is traced. */
    public static Payload traced(byte[] data, String traceparent) {
        return ByteBufPayload.create(Unpooled.wrappedBuffer(data), with(metadata(SQUARE), TRACE_PARENT, traceparent));
    }

    /** The reply to a call that is traced. */
    public static Payload worked(byte[] data, String work) {
        return ByteBufPayload.create(
                Unpooled.wrappedBuffer(data), with(ByteBufAllocator.DEFAULT.compositeBuffer(), WORK, work));
    }

    private static CompositeByteBuf with(CompositeByteBuf metadata, String type, String text) {
        CompositeMetadataCodec.encodeAndAddMetadata(
                metadata, ByteBufAllocator.DEFAULT, type, ByteBufUtil.writeUtf8(ByteBufAllocator.DEFAULT, text));
        return metadata;
    }

    /** The span that a request names; null if it names none. Metadata with a route alone is not read again. */
    public static @Nullable String traceparent(Payload request) {
        return request.sliceMetadata().readableBytes() > SQUARE_ROUTE.readableBytes()
                ? text(request, TRACE_PARENT)
                : null;
    }

    /** When the responder worked on a call; null if the reply does not say it. */
    public static @Nullable String work(Payload reply) {
        return text(reply, WORK);
    }

    /** Null also if the metadata cannot be read. */
    private static @Nullable String text(Payload payload, String type) {
        try {
            ByteBuf content = metadata(payload, type);
            return content == null ? null : content.toString(StandardCharsets.UTF_8);
        } catch (RuntimeException e) {
            // A call does not fail for its trace.
            return null;
        }
    }

    private static @Nullable ByteBuf metadata(Payload payload, String type) {
        for (CompositeMetadata.Entry entry : new CompositeMetadata(payload.sliceMetadata(), false)) {
            if (type.equals(entry.getMimeType())) {
                return entry.getContent();
            }
        }
        return null;
    }

    private static ByteBuf squareRoute() {
        ByteBuf metadata = metadata(SQUARE);
        try {
            return Unpooled.unreleasableBuffer(Unpooled.copiedBuffer(metadata).asReadOnly());
        } finally {
            metadata.release();
        }
    }

    private static CompositeByteBuf metadata(String route) {
        CompositeByteBuf metadata = ByteBufAllocator.DEFAULT.compositeBuffer();
        CompositeMetadataCodec.encodeAndAddMetadata(
                metadata,
                ByteBufAllocator.DEFAULT,
                WellKnownMimeType.MESSAGE_RSOCKET_ROUTING,
                TaggingMetadataCodec.createRoutingMetadata(ByteBufAllocator.DEFAULT, List.of(route))
                        .getContent());
        return metadata;
    }

    /** Whether requests of this connection can name a route. Metadata of another type is ignored. */
    public static boolean canNameRoutes(ConnectionSetupPayload setup) {
        return METADATA.equals(setup.metadataMimeType());
    }

    /**
     * The route of a request whose connection can name routes: Spring's requesters name one each time, others need
     * none.
     *
     * @throws RuntimeException the metadata cannot be read
     */
    public static String route(Payload request) {
        ByteBuf routing = request.hasMetadata() ? metadata(request, ROUTING) : null;
        Iterator<String> tags = routing == null ? Collections.emptyIterator() : new RoutingMetadata(routing).iterator();
        return tags.hasNext() ? tags.next() : SQUARE;
    }

    /** The data of a reply, which is released. */
    public static byte[] body(Payload reply) {
        try {
            return ByteBufUtil.getBytes(reply.data());
        } finally {
            reply.release();
        }
    }

    /**
     * Whether a call ended because no square service was there for it. Either its connection was not made, has broken,
     * or was closed on this side; or the square service stops and did not process the call.
     */
    public static boolean isUnavailable(Throwable error) {
        if (error instanceof RSocketErrorException reply) {
            // Lower codes are errors of the connection, which the library gives to all calls on it.
            return reply.errorCode() < ErrorFrameCodec.APPLICATION_ERROR
                    || reply.errorCode() == ErrorFrameCodec.REJECTED;
        }
        return error instanceof IOException || error instanceof CancellationException;
    }

    /** The code of an error reply, as the protocol names it. */
    public static String code(RSocketErrorException reply) {
        return switch (reply.errorCode()) {
            case ErrorFrameCodec.APPLICATION_ERROR -> "APPLICATION_ERROR";
            case ErrorFrameCodec.CANCELED -> "CANCELED";
            case ErrorFrameCodec.INVALID -> "INVALID";
            default -> "0x%08X".formatted(reply.errorCode());
        };
    }
}
