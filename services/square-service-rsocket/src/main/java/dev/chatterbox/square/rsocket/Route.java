package dev.chatterbox.square.rsocket;

import io.netty.buffer.ByteBuf;
import io.rsocket.ConnectionSetupPayload;
import io.rsocket.Payload;
import io.rsocket.metadata.CompositeMetadata;
import io.rsocket.metadata.RoutingMetadata;
import io.rsocket.metadata.WellKnownMimeType;
import java.util.Iterator;

/** What a request is for, as its metadata says: Spring's requesters name a route each time, others need none. */
final class Route {

    /** A request for a square, also where it names no route. */
    static final String SQUARE = "square.unary";

    /** Completes without a payload, and is not counted. */
    static final String HEALTH = "health";

    private static final String COMPOSITE = WellKnownMimeType.MESSAGE_RSOCKET_COMPOSITE_METADATA.getString();
    private static final String ROUTING = WellKnownMimeType.MESSAGE_RSOCKET_ROUTING.getString();

    private Route() {}

    /** Whether the metadata of this connection's requests can name a route; other metadata is not looked at. */
    static boolean canBeNamed(ConnectionSetupPayload setup) {
        return COMPOSITE.equals(setup.metadataMimeType());
    }

    /** @throws RuntimeException the metadata cannot be read */
    static String of(Payload request) {
        if (!request.hasMetadata()) {
            return SQUARE;
        }
        ByteBuf metadata = request.sliceMetadata();
        for (CompositeMetadata.Entry entry : new CompositeMetadata(metadata, false)) {
            if (ROUTING.equals(entry.getMimeType())) {
                Iterator<String> tags = new RoutingMetadata(entry.getContent()).iterator();
                return tags.hasNext() ? tags.next() : SQUARE;
            }
        }
        return SQUARE;
    }
}
