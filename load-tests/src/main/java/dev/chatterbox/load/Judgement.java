package dev.chatterbox.load;

import org.jspecify.annotations.Nullable;

/**
 * What became of a request.
 *
 * @param kind {@code right}, or the kind of failure that is counted
 * @param reason a cause within the kind; there are few different ones, because Gatling lists each
 * @param detail an example for the log
 */
record Judgement(
        String kind, @Nullable String reason, @Nullable String detail) {

    static final Judgement RIGHT = new Judgement("right", null, null);

    /** No whole answer within the request's timeout. */
    static final Judgement TIMEOUT = new Judgement("timeout", null, null);

    /** No connection, or one that broke before the whole answer had come. */
    static final Judgement CONNECT = new Judgement("connect", null, null);

    /** The request could not be made, or its answer could not be checked: a fault of the generator. */
    static final Judgement OTHER = new Judgement("other", null, null);

    /** No user was free for the request before its slice was over. */
    static final Judgement UNSENT = new Judgement("unsent", null, null);

    static Judgement status(int status) {
        return new Judgement("http-" + status, null, null);
    }

    static Judgement wrong(String reason, String detail) {
        return new Judgement("wrong", reason, detail);
    }

    boolean isRight() {
        return this == RIGHT;
    }

    boolean isAnswered() {
        return this != TIMEOUT && this != CONNECT && this != UNSENT;
    }

    /** The text that Gatling's report shows. */
    String message() {
        return reason == null ? kind : kind + ": " + reason;
    }
}
