package dev.chatterbox.aggregator.web;

import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.distribution.CountAtBucket;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a metric's timers, one for each outcome, have counted up to now; or, by {@link #since}, between two moments.
 *
 * @param outcomes how many calls or requests ended, by outcome
 * @param buckets how many took at most so many nanoseconds, by these nanoseconds
 */
record IntervalCounts(Map<String, Long> outcomes, TreeMap<Double, Long> buckets) {

    static final IntervalCounts EMPTY = new IntervalCounts(Map.of(), new TreeMap<>());

    static IntervalCounts of(Collection<Timer> timers) {
        // The counts come first: what ends meanwhile is then in the buckets alone. The other way round, a quantile
        // would
        // look for it above the last bucket.
        Map<String, Long> outcomes = timers.stream()
                .collect(Collectors.toMap(
                        timer -> String.valueOf(timer.getId().getTag("outcome")), Timer::count, Long::sum));
        TreeMap<Double, Long> buckets = new TreeMap<>();
        for (Timer timer : timers) {
            for (CountAtBucket bucket : timer.takeSnapshot().histogramCounts()) {
                buckets.merge(bucket.bucket(), (long) bucket.count(), Long::sum);
            }
        }
        return new IntervalCounts(outcomes, buckets);
    }

    IntervalCounts since(IntervalCounts earlier) {
        Map<String, Long> outcomes = new TreeMap<>(this.outcomes);
        outcomes.replaceAll((outcome, count) -> count - earlier.outcomes.getOrDefault(outcome, 0L));
        TreeMap<Double, Long> buckets = new TreeMap<>(this.buckets);
        buckets.replaceAll((bucket, count) -> count - earlier.buckets.getOrDefault(bucket, 0L));
        return new IntervalCounts(outcomes, buckets);
    }

    long count() {
        return outcomes.values().stream().mapToLong(Long::longValue).sum();
    }

    /**
     * Interpolates linearly in the bucket, as Prometheus' {@code histogram_quantile} does. A duration above the last
     * bucket counts as that bucket's bound.
     *
     * @param quantile 0 to 1
     * @return seconds; null if nothing ended
     */
    @Nullable
    Double quantile(double quantile) {
        long count = count();
        if (count == 0 || buckets.isEmpty()) {
            return null;
        }
        double rank = quantile * count;
        double lower = 0;
        long below = 0;
        for (Map.Entry<Double, Long> bucket : buckets.entrySet()) {
            long within = bucket.getValue() - below;
            if (bucket.getValue() >= rank && within > 0) {
                return (lower + (bucket.getKey() - lower) * (rank - below) / within) / 1e9;
            }
            lower = bucket.getKey();
            below = bucket.getValue();
        }
        return buckets.lastKey() / 1e9;
    }
}
