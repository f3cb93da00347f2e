package dev.chatterbox.report.prediction;

import java.util.List;
import java.util.stream.Stream;

/**
 * How what a message costs falls with the calls that are in flight beside it: messages that are under way together
 * share wake-ups, writes and reads.
 *
 * @param messages in flight beside it at which half of what can be shared is; more than 0
 * @param seconds in which messages of other requests are under way together with it; 0 where only those of its own
 *     request are
 */
record Batching(double messages, double seconds) {

    /** Those that a fit chooses from: what lies between them makes no difference that could be measured. */
    static final List<Batching> CANDIDATES = Stream.of(1.0, 4.0, 16.0, 64.0, 256.0)
            .flatMap(messages -> Stream.of(0.0, 1e-4, 1e-3, 1e-2).map(seconds -> new Batching(messages, seconds)))
            .toList();

    /**
     * The part of what can be shared that a message pays alone, 0 to 1.
     *
     * @param together messages of a request
     * @param perSecond messages of all requests
     */
    double alone(double together, double perSecond) {
        return 1 / (1 + (together - 1 + perSecond * seconds) / messages);
    }
}
