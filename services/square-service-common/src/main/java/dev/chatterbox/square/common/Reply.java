package dev.chatterbox.square.common;

import com.google.protobuf.MessageLite;

/**
 * Where the answer to one request goes. Called at most once, and never where {@link Faults#drop()} swallows the answer;
 * on the thread that brought the request or, where {@link Faults#delay()} is set, on the responder's timer thread.
 *
 * @param <T> the answer: {@link dev.chatterbox.proto.Output}, or {@link dev.chatterbox.proto.Outputs} to a batch
 */
public interface Reply<T extends MessageLite> {

    void answer(T answer);

    /**
     * @param code as in HTTP: 400 where the request was at fault
     * @param reason what was wrong and what would be right
     */
    void error(int code, String reason);

    /** For a request that names no address to reply to. */
    Reply<MessageLite> NOWHERE = new Reply<>() {
        @Override
        public void answer(MessageLite answer) {}

        @Override
        public void error(int code, String reason) {}
    };
}
