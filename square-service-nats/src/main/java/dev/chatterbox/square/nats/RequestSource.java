package dev.chatterbox.square.nats;

import io.nats.client.Connection;
import org.jspecify.annotations.Nullable;

/** The way on which requests reach this responder. */
interface RequestSource {

    /** Begins to receive; called once, on the thread that has just connected. What fails is tried again by itself. */
    void open(Connection connection);

    /** Why no requests can come although there is a connection; null where they can. */
    @Nullable
    String problem();

    /** Ends what {@link #open} began, but for the connection. */
    void close();
}
