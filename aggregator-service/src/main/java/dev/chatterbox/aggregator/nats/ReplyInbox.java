package dev.chatterbox.aggregator.nats;

import dev.chatterbox.aggregator.client.CallException;
import io.nats.client.Connection;
import io.nats.client.impl.Headers;

/** Where replies to stored requests come in. */
interface ReplyInbox {

    /** Begins to listen; called with each new connection, before its first call. What fails is tried again in the background. */
    void open(Connection connection);

    /** Whether a reply to a call that is made now would come in. */
    boolean ready();

    /**
     * The headers by which the responder finds the way back.
     *
     * @throws CallException it is not {@link #ready}
     */
    Headers address(String correlationId);

    void close();
}
