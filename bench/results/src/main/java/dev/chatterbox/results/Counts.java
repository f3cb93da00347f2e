package dev.chatterbox.results;

import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;

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
        boolean agree) {

    /** Of several starts together. */
    public static Counts sum(Collection<Counts> parts) {
        Counts sum = new Counts(0, Map.of(), Map.of(), Map.of(), true);
        for (Counts part : parts) {
            sum = new Counts(
                    sum.generatorRequests + part.generatorRequests,
                    merged(sum.generatorCalls, part.generatorCalls),
                    merged(sum.aggregatorCalls, part.aggregatorCalls),
                    merged(sum.responderSquares, part.responderSquares),
                    sum.agree && part.agree);
        }
        return sum;
    }

    private static Map<String, Long> merged(Map<String, Long> one, Map<String, Long> other) {
        Map<String, Long> merged = new TreeMap<>(one);
        other.forEach((key, count) -> merged.merge(key, count, Long::sum));
        return merged;
    }
}
