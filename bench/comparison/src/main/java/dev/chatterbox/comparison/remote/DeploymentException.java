package dev.chatterbox.comparison.remote;

/** What was named cannot be compared; the message says what was found there and what to do. */
public final class DeploymentException extends RuntimeException {

    public DeploymentException(String message) {
        super(message);
    }
}
