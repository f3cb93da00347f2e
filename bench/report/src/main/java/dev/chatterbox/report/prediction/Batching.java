package dev.chatterbox.report.prediction;

import java.util.List;
import java.util.stream.Stream;

/**
 * How the cost of a message falls with the messages that are in flight at the same time: they share wake-ups, writes
 * and reads.
 *
 * @param messages how many others must be in flight to share half of what can be shared; more than 0
 * @param seconds how long messages of other requests count as in flight with it; 0 if only those of its own request
 *     count
 */
record Batching(double messages, double seconds) {

    /** The candidates of a fit. Values between them make no difference that could be measured. */
    static final List<Batching> CANDIDATES = Stream.of(1.0, 4.0, 16.0, 64.0, 256.0)
            .flatMap(messages -> Stream.of(0.0, 1e-4, 1e-3, 1e-2).map(seconds -> new Batching(messages, seconds)))
            .toList();

    /**
     * The part of the cost that can be shared, 0 to 1, that a message pays alone.
     *
     * @param together how many messages a request has
     * @param perSecond how many messages all requests have per second
     */
    double alone(double together, double perSecond) {
        return 1 / (1 + (together - 1 + perSecond * seconds) / messages);
    }
}
