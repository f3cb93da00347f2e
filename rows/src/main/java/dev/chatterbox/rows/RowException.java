package dev.chatterbox.rows;

/** A row or a responder that cannot be understood, or a name that none has; the message says what would be right. */
public final class RowException extends RuntimeException {

    public RowException(String message) {
        super(message);
    }
}
