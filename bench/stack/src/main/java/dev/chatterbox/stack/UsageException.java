package dev.chatterbox.stack;

/** A command cannot do what its arguments say; the message says what it can do. */
public final class UsageException extends RuntimeException {

    public UsageException(String message) {
        super(message);
    }
}
