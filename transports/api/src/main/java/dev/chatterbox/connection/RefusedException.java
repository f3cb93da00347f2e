package dev.chatterbox.connection;

import java.io.IOException;

/** The broker is there, and does not let this side in, or does not give it what it needs. */
public final class RefusedException extends IOException {

    private static final long serialVersionUID = 1;

    /** @param reason in the broker's words; errors, health and the log show it to people */
    public RefusedException(String reason) {
        super(reason);
    }
}
