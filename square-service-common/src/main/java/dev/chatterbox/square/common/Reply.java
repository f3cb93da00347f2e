package dev.chatterbox.square.common;

/**
 * Where the answer to one request goes. Called at most once, and never where {@link Faults#drop()} swallows the answer;
 * on the thread that asked or, where {@link Faults#delay()} is set, on the responder's timer thread.
 */
public interface Reply {

    void square(int number, long square);

    /**
     * @param code as in HTTP: 400 where the request was at fault
     * @param reason what was wrong and what would be right
     */
    void error(int code, String reason);

    /** For a request that names no address to reply to. */
    Reply NOWHERE = new Reply() {
        @Override
        public void square(int number, long square) {}

        @Override
        public void error(int code, String reason) {}
    };
}
