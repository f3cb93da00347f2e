package dev.chatterbox.variants;

/** A variant or a responder description is wrong, or a name is not known; the message says what would be right. */
public final class VariantException extends RuntimeException {

    public VariantException(String message) {
        super(message);
    }
}
