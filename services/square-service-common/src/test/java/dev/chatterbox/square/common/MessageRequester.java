package dev.chatterbox.square.common;

import java.util.concurrent.CompletableFuture;

/** One that sends whatever bytes it is given. */
public interface MessageRequester extends Requester {

    /**
     * Completes with the answer, or an error reply.
     *
     * @param batch whether it goes to the address of batches
     */
    CompletableFuture<Message> send(boolean batch, byte[] body);

    /**
     * @param code 0, or the code of an error reply
     * @param reason of an error reply; empty where it is none
     */
    record Message(int code, String reason, byte[] body) {

        public static Message of(byte[] body) {
            return new Message(0, "", body);
        }

        /** What it says to the number that was sent. */
        public Answer answer(int number) {
            return code == 0 ? Wire.output(body, number) : new Answer(code, reason);
        }

        public static Message error(int code, String reason) {
            return new Message(code, reason, new byte[0]);
        }
    }
}
