package dev.chatterbox.rows;

/** A row or a responder description is wrong, or a name is not known; the message says what would be right. */
public final class RowException extends RuntimeException {

    public RowException(String message) {
        super(message);
    }
}
