package dev.chatterbox.aggregator.client;

import dev.chatterbox.proto.Square;
import java.time.Duration;

/**
 * One call to make.
 *
 * @param number 1 to 2³¹−1
 * @param timeout from the sending to the reply; more than zero
 */
public record SquareRequest(int number, Duration timeout) {

    /**
     * The only way to a {@link SquareReply}, so that no client can let an unchecked one through.
     *
     * @param number the number that the reply says it is for
     * @throws CallException {@link Outcome#WRONG} where that is another number, or the square is not its square
     */
    public SquareReply reply(int number, long square) {
        if (number != this.number || square != Square.of(number)) {
            throw new CallException(
                    Outcome.WRONG,
                    "a wrong reply to the request for %d: it says that the square of %d is %d"
                            .formatted(this.number, number, square));
        }
        return new SquareReply(number, square);
    }

    /** The error for a call that nobody answered in time. */
    public CallException timedOut() {
        return new CallException(
                Outcome.TIMEOUT, "no reply to the request for %d within %d ms".formatted(number, timeout.toMillis()));
    }
}
