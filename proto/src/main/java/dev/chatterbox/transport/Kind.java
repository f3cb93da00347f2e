package dev.chatterbox.transport;

import java.util.Locale;

/** What stands between requester and responder, and with it the guarantee of delivery. */
public enum Kind {
    /** Nothing: the requester connects to the responder. */
    DIRECT,
    /** A broker that keeps nothing: who is not there misses the message. */
    BROKER,
    /** A broker that stores every message before it passes it on. */
    LOG,
    /** Nothing at all: requester and responder are one process. */
    MEMORY;

    private final String text = name().toLowerCase(Locale.ROOT);

    /** As row files, {@code GET /transports} and results name it. */
    public String text() {
        return text;
    }
}
