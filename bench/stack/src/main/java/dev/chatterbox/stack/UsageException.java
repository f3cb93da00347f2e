package dev.chatterbox.stack;

/** A command cannot do what its arguments ask for; the message says what it can do. */
public final class UsageException extends RuntimeException {

    public UsageException(String message) {
        super(message);
    }
}
