package dev.chatterbox.responder;

import java.util.concurrent.CompletableFuture;

/** A client as a stranger would write it, from the wire contract alone, which sends whatever bytes it is given. */
public interface Requester extends AutoCloseable {

    /**
     * Completes when the answer, or an error reply, comes; not before.
     *
     * @param batch whether it goes to the address of batches
     */
    CompletableFuture<Message> send(boolean batch, byte[] body);

    /** Completes when the answer, or an error reply, comes; not before. */
    default CompletableFuture<Answer> ask(int number) {
        return send(false, Wire.input(number)).thenApply(reply -> reply.answer(number));
    }

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

    /**
     * @param code 0, or the code of an error reply
     * @param reason of an error reply; empty where it is none
     */
    record Message(int code, String reason, byte[] body) {

        public static Message of(byte[] body) {
            return new Message(0, "", body);
        }

        /** The answer that this message gives to the number that was sent. */
        public Answer answer(int number) {
            return code == 0 ? Wire.output(body, number) : new Answer(code, reason);
        }

        public static Message error(int code, String reason) {
            return new Message(code, reason, new byte[0]);
        }
    }
}
