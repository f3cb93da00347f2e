package dev.chatterbox.load;

import org.jspecify.annotations.Nullable;

/**
 * What became of a request.
 *
 * @param kind {@code right}, or the kind of failure that is counted
 * @param reason which of a kind's causes; few different ones, for Gatling lists each
 * @param detail an example for the log
 */
record Outcome(
        String kind, @Nullable String reason, @Nullable String detail) {

    static final Outcome RIGHT = new Outcome("right", null, null);

    /** No whole answer within the request's timeout. */
    static final Outcome TIMEOUT = new Outcome("timeout", null, null);

    /** No connection, or one that broke before the whole answer had come. */
    static final Outcome CONNECT = new Outcome("connect", null, null);

    /** The request could not be made, or its answer not be looked at: a fault of the generator. */
    static final Outcome OTHER = new Outcome("other", null, null);

    static Outcome status(int status) {
        return new Outcome("http-" + status, null, null);
    }

    static Outcome wrong(String reason, String detail) {
        return new Outcome("wrong", reason, detail);
    }

    boolean isRight() {
        return this == RIGHT;
    }

    /** As Gatling's report shows it. */
    String message() {
        return reason == null ? kind : kind + ": " + reason;
    }
}
