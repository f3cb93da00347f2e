package dev.chatterbox.comparison.counts;

import dev.chatterbox.results.Latency;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * How many durations there were, by length. Such counts of several slices can be added up; percentiles cannot.
 *
 * @param counts how many durations were at most as long as the bound and longer than the bound before, in nanoseconds
 * @param longest nanoseconds: no duration was longer
 */
public record LatencyBuckets(NavigableMap<Long, Long> counts, long longest) {

    public static final LatencyBuckets NONE = new LatencyBuckets(new TreeMap<>(), Long.MAX_VALUE);

    /** @param pairs {@code [[upperNanos,count],…]} */
    public static LatencyBuckets of(JsonNode pairs, long longest) {
        NavigableMap<Long, Long> counts = new TreeMap<>();
        pairs.values()
                .forEach(pair ->
                        counts.merge(pair.path(0).asLong(0), pair.path(1).asLong(0), Long::sum));
        return new LatencyBuckets(counts, longest);
    }

    /** What was added since an earlier reading of the same histogram. */
    public LatencyBuckets since(LatencyBuckets earlier) {
        NavigableMap<Long, Long> difference = new TreeMap<>();
        counts.forEach((bound, count) -> {
            long added = count - earlier.counts.getOrDefault(bound, 0L);
            if (added > 0) {
                difference.put(bound, added);
            }
        });
        return new LatencyBuckets(difference, longest);
    }

    /** The sum of both. */
    public LatencyBuckets with(LatencyBuckets other) {
        NavigableMap<Long, Long> sum = new TreeMap<>(counts);
        other.counts.forEach((bound, count) -> sum.merge(bound, count, Long::sum));
        if (counts.isEmpty() || other.counts.isEmpty()) {
            return new LatencyBuckets(sum, counts.isEmpty() ? other.longest : longest);
        }
        return new LatencyBuckets(sum, Math.max(longest, other.longest));
    }

    public long count() {
        return counts.values().stream().mapToLong(Long::longValue).sum();
    }

    /** @param beyond how many samples must lie beyond a percentile; otherwise the percentile is left out */
    public Latency latency(int beyond) {
        return new Latency(
                percentile(0.5, beyond),
                percentile(0.9, beyond),
                percentile(0.95, beyond),
                percentile(0.99, beyond),
                percentile(0.999, beyond),
                counts.isEmpty() ? null : seconds(counts.lastKey()),
                null);
    }

    private @Nullable Double percentile(double fraction, int beyond) {
        long count = count();
        // Of 1000 samples, 10 lie beyond the 990th. The small part is there because binary fractions are not exact.
        long rank = (long) Math.ceil(fraction * count - 1e-6);
        if (count == 0 || count - rank < beyond) {
            return null;
        }
        long upTo = 0;
        for (Map.Entry<Long, Long> bucket : counts.entrySet()) {
            upTo += bucket.getValue();
            if (upTo >= rank) {
                return seconds(bucket.getKey());
            }
        }
        return null;
    }

    private double seconds(long bound) {
        return Math.min(bound, longest) / 1e9;
    }
}
