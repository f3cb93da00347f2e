package dev.chatterbox.results;

/** Results that cannot be found or understood; the message says what is wrong and what would be right. */
public final class ResultsException extends RuntimeException {

    public ResultsException(String message) {
        super(message);
    }
}
