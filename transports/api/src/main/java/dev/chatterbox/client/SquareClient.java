package dev.chatterbox.client;

import java.util.Map;
import java.util.Set;
import reactor.core.publisher.Mono;

/**
 * One transport's way to a square service: from a message to its reply. A variant names the class of its client. One
 * instance is made for each chosen variant, with the variant, its {@link CallLimits}, a record of its {@link
 * ClientSettings} and the beans that its constructor asks for. Nothing else names the class.
 *
 * <p>The contract, which {@code SquareClientContract} tests for every client, apart from its {@link #deviations}:
 *
 * <ul>
 *   <li>{@link #square} is <em>cold</em>: each subscription is one call, and nothing is sent before it. It never
 *       blocks and never throws; every failure arrives as an error signal.
 *   <li>It ends with exactly one {@link SquareReply}, or with a {@link CallException} whose {@link Outcome} says what
 *       happened: {@code TIMEOUT} if nobody answered within {@link SquareRequest#timeout()} after the sending,
 *       {@code UNAVAILABLE} if the backend or the broker is not there (at once, if the transport can know it) or
 *       breaks a reply off, {@code WRONG} for an answer that is not the squares of these numbers with their payloads,
 *       {@code ERROR} for an error reply or one that cannot be read.
 *   <li>It gets a batch only if its variant has the call mode {@code batch}.
 *   <li>Replies are matched to their own requests, in whatever order they come. One that comes late, twice or for no
 *       call is counted in {@code chatterbox.replies.unmatched}, unless the library drops it silently, and changes
 *       nothing.
 *   <li>Once a call has ended, also by cancellation, nothing of it is left: no entry, no task, no connection in use.
 *   <li>There are no retries, neither here nor in the library below: they would hide what is being compared.
 *   <li>Signals arrive on the client library's own thread, which serves other replies too: a subscriber must not block
 *       it. A deadline's error may come from a timer thread.
 * </ul>
 *
 * @implSpec Implementations are safe for concurrent use. The fan-out has the bounds on calls in flight, the validation
 *     of n, and the metrics. For a broker that does not match replies by itself, use {@link PendingCalls}.
 */
public interface SquareClient {

    /** Sends one message, for the square of a number or of all those of a batch; see the contract above. */
    Mono<SquareReply> square(SquareRequest request);

    /**
     * Whether a call made now could be answered: empty if it could, otherwise a {@link CallException} with the reason.
     * Makes no call that a square service counts, but may ask over the network; ends within a few seconds.
     */
    Mono<Void> check();

    /**
     * The settings that matter in a comparison of transports, as far as they follow from the variant's {@code client.*}
     * and from the library: strings, numbers, booleans. The variant's {@code settings.*} are the others.
     */
    default Map<String, Object> settings() {
        return Map.of();
    }

    /** The points in which this client differs from the contract; empty unless it shows its library's defaults. */
    default Set<Deviation> deviations() {
        return Set.of();
    }

    /**
     * How many calls can be in flight at once: if a connection carries one call at a time, the number of connections.
     * The fan-out sends no more, so that no call waits for a connection while its deadline runs.
     */
    default int maxInFlight() {
        return Integer.MAX_VALUE;
    }

    /**
     * How many bytes of payloads can be in flight at once, if the library or the broker drops messages above a limit.
     * The fan-out sends no more.
     */
    default long maxBytesInFlight() {
        return Long.MAX_VALUE;
    }

    /**
     * The largest message, request or reply, that can be sent. The fan-out asks before it sends the first message of a
     * request. Before there is a connection, it may be a default value.
     */
    default MessageLimit messageLimit() {
        return MessageLimit.NONE;
    }

    /** Called once, before the first call. Returns at once, and waits in the background for a broker that is away. */
    default void start() {}

    /**
     * Called once, at the end, when no more requests come. Outstanding calls fail as {@code UNAVAILABLE}, and a later
     * call fails so at once.
     */
    void stop();
}
