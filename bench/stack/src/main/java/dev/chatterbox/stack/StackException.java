package dev.chatterbox.stack;

/** A stack that cannot be started, found or stopped; the message says why and what to do. */
public final class StackException extends RuntimeException {

    public StackException(String message) {
        super(message);
    }
}
