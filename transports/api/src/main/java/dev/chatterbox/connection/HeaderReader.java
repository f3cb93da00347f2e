package dev.chatterbox.connection;

import org.jspecify.annotations.Nullable;

/** Reads the headers, or properties, of one message of a broker. */
@FunctionalInterface
public interface HeaderReader {

    /** The header of this name as text; null if the message has none. */
    @Nullable
    String header(String name);
}
