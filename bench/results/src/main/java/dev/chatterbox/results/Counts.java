package dev.chatterbox.results;

import java.util.Map;

/**
 * What was counted over the whole run, warm-ups and drains included, at three places.
 *
 * @param generatorRequests that were right
 * @param generatorCalls those requests times their calls, by row
 * @param aggregatorCalls by row
 * @param responderSquares by responder process, which several rows may share
 * @param agree whether they are the same to the last call: by row, and per responder summed over its rows
 */
public record Counts(
        long generatorRequests,
        Map<String, Long> generatorCalls,
        Map<String, Long> aggregatorCalls,
        Map<String, Long> responderSquares,
        boolean agree) {}
