package dev.chatterbox.transport;

import java.util.Locale;

/** What stands between requester and responder; the guarantee of delivery depends on it. */
public enum Kind {
    /** Nothing: the requester connects to the responder. */
    DIRECT,
    /** A broker that stores nothing: a receiver that is not connected misses the message. */
    BROKER,
    /** A broker that stores every message before it passes it on. */
    LOG,
    /** Nothing at all: requester and responder are one process. */
    MEMORY;

    private final String text = name().toLowerCase(Locale.ROOT);

    /** The name of the kind in variant files, in {@code GET /transports} and in results. */
    public String text() {
        return text;
    }
}
