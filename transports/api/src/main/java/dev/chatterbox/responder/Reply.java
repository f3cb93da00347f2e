package dev.chatterbox.responder;

import com.google.protobuf.MessageLite;

/**
 * Where the answer to one request goes. Called at most once, and never if {@link Faults#drop()} drops the answer. The
 * thread is the one that brought the request or, with {@link Faults#delay()} or a request that waits, the responder's
 * timer thread.
 *
 * @param <T> the answer: {@link dev.chatterbox.proto.Output}, or {@link dev.chatterbox.proto.Outputs} to a batch
 */
public interface Reply<T extends MessageLite> {

    void answer(T answer);

    /**
     * Says that the request was wrong, which is a 400 of HTTP.
     *
     * @param reason what was wrong and what would be right
     */
    void error(String reason);

    /** The reply to a request that names no reply address. */
    Reply<MessageLite> NOWHERE = new Reply<>() {
        @Override
        public void answer(MessageLite answer) {}

        @Override
        public void error(String reason) {}
    };
}
