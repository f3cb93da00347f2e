package dev.chatterbox.stack;

/** Something that was asked for cannot be; the message says what can. */
public final class UsageException extends RuntimeException {

    public UsageException(String message) {
        super(message);
    }
}
