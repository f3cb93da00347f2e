package dev.chatterbox.aggregator.queue;

import dev.chatterbox.queue.Spread;
import java.time.Duration;

/**
 * What a run is to do.
 *
 * @param n messages, 1 or more
 * @param publishers so many messages are published and not yet acknowledged, 1 or more
 * @param consumers in each responder, 1 to {@link #MOST_CONSUMERS}
 * @param payload bytes in each message, 0 or more
 * @param rate messages a second that are published at most; 0 for as many as the publishers can
 * @param heldSeconds how long, from the first message on, no responder consumes; 0 for not at all
 * @param spread over topics and groups; each group consumes each message
 * @param window whether no more than {@link #WINDOW} messages are on their way where nobody acknowledges them
 */
public record QueueRequest(
        int n, int publishers, int consumers, int payload, int rate, int heldSeconds, Spread spread, boolean window) {

    public static final int MOST_RATE = 1_000_000;

    public static final int MOST_HELD_SECONDS = 300;

    /** The default number of publishers. */
    public static final int PUBLISHERS = 250;

    /** The default payload. */
    public static final int PAYLOAD = 256;

    public static final int MOST_PUBLISHERS = 1_000;
    public static final int MOST_CONSUMERS = 16;

    /** The most bytes of all payloads of a run. */
    public static final long MOST_BYTES = 2L << 30;

    /** So many messages may be published and not yet be reported as received, where nobody acknowledges messages. */
    public static final int WINDOW = 4_096;

    /** The most consumers of a responder, over all groups. */
    public static final int MOST_OF_ALL_GROUPS = 100;

    /** How much longer than another run one may take to begin and to end, for each topic and each consumer. */
    private static final Duration BEGIN_MORE = Duration.ofMillis(100);

    /** How many messages are consumed if none is lost. */
    long consumed() {
        return (long) n * spread.groups();
    }

    /** @param most how long a run of one topic and one group may take to begin, or to end */
    Duration beginWithin(Duration most) {
        return most.plus(BEGIN_MORE.multipliedBy(spread.topics() - 1 + (long) (spread.groups() - 1) * consumers));
    }
}
