package dev.chatterbox.connection;

import org.jspecify.annotations.Nullable;

/** One connection to a broker, from its opening to its end, with all that calls over it need. */
public interface BrokerConnection extends AutoCloseable {

    /** Returns, or throws the reason, when the connection has broken. */
    void awaitEnd() throws Exception;

    /** The reason why no message can go over the open connection now; null if messages can. */
    default @Nullable String problem() {
        return null;
    }

    /** Ends it, broken or not, within a few seconds. */
    @Override
    void close();
}
