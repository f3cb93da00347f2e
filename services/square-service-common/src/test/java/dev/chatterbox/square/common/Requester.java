package dev.chatterbox.square.common;

import java.util.concurrent.CompletableFuture;

/** A client as a stranger would write it, from the wire contract alone. */
public interface Requester extends AutoCloseable {

    /** Completes when the answer, or an error reply, comes; not before. */
    CompletableFuture<Answer> ask(int number);

    @Override
    void close();

    /**
     * @param code 0, or the code of an error reply
     * @param text the square in digits, or the reason of an error reply
     */
    record Answer(int code, String text) {

        public static Answer square(long square) {
            return new Answer(0, Long.toString(square));
        }
    }
}
