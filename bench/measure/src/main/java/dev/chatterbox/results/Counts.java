package dev.chatterbox.results;

import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * What was counted over the slices of all starts, those of the warm-up among them, at three places.
 *
 * @param generatorRequests requests that were right
 * @param generatorCalls these requests times their calls, by variant
 * @param aggregatorCalls calls that the aggregator counted, by variant
 * @param responderSquares numbers that each responder process counted; several variants may share a process
 * @param shares the part of them that each process counted, by its name, where a responder has several
 * @param agree whether all counts are the same to the last call: by variant, and per responder summed over its variants
 */
public record Counts(
        long generatorRequests,
        Map<String, Long> generatorCalls,
        Map<String, Long> aggregatorCalls,
        Map<String, Long> responderSquares,
        Map<String, Long> shares,
        boolean agree) {

    /** The counts of several starts together. */
    public static Counts sum(Collection<Counts> parts) {
        return new Counts(
                parts.stream().mapToLong(Counts::generatorRequests).sum(),
                sum(parts, Counts::generatorCalls),
                sum(parts, Counts::aggregatorCalls),
                sum(parts, Counts::responderSquares),
                sum(parts, Counts::shares),
                parts.stream().allMatch(Counts::agree));
    }

    private static Map<String, Long> sum(Collection<Counts> parts, Function<Counts, Map<String, Long>> of) {
        return parts.stream()
                .flatMap(part -> of.apply(part).entrySet().stream())
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue, Long::sum, TreeMap::new));
    }
}
