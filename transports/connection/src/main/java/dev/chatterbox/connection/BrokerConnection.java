package dev.chatterbox.connection;

import org.jspecify.annotations.Nullable;

/** One connection to a broker, from its opening to its end; with all that calls need to go over it. */
public interface BrokerConnection extends AutoCloseable {

    /** Returns, or throws the reason, when the connection has broken. */
    void awaitEnd() throws Exception;

    /** Why no message can go over it now, although it is open; null where one can. */
    default @Nullable String problem() {
        return null;
    }

    /** Ends it, broken or not, within a few seconds. */
    @Override
    void close();
}
