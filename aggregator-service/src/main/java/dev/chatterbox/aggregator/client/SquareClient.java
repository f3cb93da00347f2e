package dev.chatterbox.aggregator.client;

import java.util.Map;
import java.util.Set;
import reactor.core.publisher.Mono;

/**
 * One transport's way to a square service: from a message to its reply. A row names its class, and an instance is made
 * for each row that is chosen, with the row, its {@link CallLimits}, a record of its {@link ClientSettings} and whatever
 * beans its constructor asks for; nothing else names it.
 *
 * <p>The contract, which {@code SquareClientContract} tests for every implementation, apart from its {@link #deviations}:
 *
 * <ul>
 *   <li>{@link #square} is <em>cold</em>: each subscription is one call, and nothing is sent before it. It never
 *       blocks and never throws; what goes wrong arrives as an error signal.
 *   <li>It ends with exactly one {@link SquareReply}, or with a {@link CallException} whose {@link Outcome} says what
 *       happened: {@code TIMEOUT} where nobody answered within {@link SquareRequest#timeout()} of the sending,
 *       {@code UNAVAILABLE} where the backend or the broker is not there (at once, where the transport can know it)
 *       or breaks a reply off, {@code WRONG} for an answer that is not the squares of these numbers with their
 *       payloads, {@code ERROR} for an error reply or one that cannot be read.
 *   <li>A request that is a batch it is given only where its row has the exchange {@code batch}.
 *   <li>Replies are matched to their own requests, in whatever order they come. One that comes late, twice or for
 *       nobody is counted in {@code chatterbox.replies.unmatched}, unless the library drops it without a word, and
 *       changes nothing.
 *   <li>Once a call has ended, also by cancellation, nothing of it is left: no entry, no task, no connection in use.
 *   <li>There are no retries, neither here nor in the library below: they would hide what is being compared.
 *   <li>Signals arrive on the client library's own thread, which serves other replies too: whoever subscribes must not
 *       block it. A deadline's error may come from a timer thread.
 * </ul>
 *
 * @implSpec Implementations are safe for concurrent use. The bounds on calls in flight, validation of n, and metrics
 *     are the fan-out's. A broker that does not match replies to requests by itself is easily served with
 *     {@link PendingCalls}.
 */
public interface SquareClient {

    /** Sends one message, for the square of a number or of all those of a batch; see the contract above. */
    Mono<SquareReply> square(SquareRequest request);

    /**
     * Whether a call made now could be answered: empty where it could, a {@link CallException} with the reason where
     * not. Makes no call that a square service counts, and may ask over the network; ends within a few seconds.
     */
    Mono<Void> check();

    /**
     * Of the settings that matter when transports are compared, those that follow from the row's {@code client.*} and
     * from the library: strings, numbers, booleans. The others are the row's {@code settings.*}.
     */
    default Map<String, Object> settings() {
        return Map.of();
    }

    /** What is otherwise than the contract above; empty unless it is a client that shows its library's defaults. */
    default Set<Deviation> deviations() {
        return Set.of();
    }

    /**
     * How many calls can be under way at once: where a connection carries one call at a time, as many as it has
     * connections. The fan-out sends no more, so that a call that was sent does not wait for a connection while its
     * deadline runs.
     */
    default int maxInFlight() {
        return Integer.MAX_VALUE;
    }

    /**
     * How many bytes of payloads can be under way at once, where the library or the broker drops what is more; the
     * fan-out sends no more.
     */
    default long maxBytesInFlight() {
        return Long.MAX_VALUE;
    }

    /**
     * The largest message, request or reply, that can be sent: the fan-out asks before it sends the first one of a
     * request. It may be known only once there is a connection; until then it is what it is by default.
     */
    default MessageLimit messageLimit() {
        return MessageLimit.NONE;
    }

    /** Called once, before the first call. Returns at once: a broker that is away is waited for in the background. */
    default void start() {}

    /**
     * Called once, at the end, when no more requests come. Calls that are still outstanding fail as
     * {@code UNAVAILABLE}, and a call that is made afterwards does so at once.
     */
    void stop();
}
