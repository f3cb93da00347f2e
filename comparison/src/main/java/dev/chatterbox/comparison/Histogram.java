package dev.chatterbox.comparison;

import dev.chatterbox.results.Latency;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A Prometheus histogram: how many values there were up to each bound, cumulated.
 *
 * @param buckets by upper bound, the last one of which is infinite
 */
record Histogram(NavigableMap<Double, Double> buckets) {

    static Histogram of(Stream<Prometheus.Sample> samples) {
        NavigableMap<Double, Double> buckets = new TreeMap<>();
        samples.forEach(bucket -> buckets.merge(Prometheus.number(bucket.label("le")), bucket.value(), Double::sum));
        return new Histogram(buckets);
    }

    /**
     * The percentiles in seconds, as far as the buckets tell them.
     *
     * @param decaying see {@link #largest}
     */
    Latency latency(double decaying) {
        Double max = largest(decaying);
        double largest = max == null ? 0 : max;
        return new Latency(
                Statistics.rounded(quantile(0.5, largest)),
                Statistics.rounded(quantile(0.9, largest)),
                Statistics.rounded(quantile(0.95, largest)),
                Statistics.rounded(quantile(0.99, largest)),
                Statistics.rounded(max));
    }

    /** What was added since an earlier reading of the same histogram. */
    Histogram since(Histogram earlier) {
        NavigableMap<Double, Double> difference = new TreeMap<>();
        buckets.forEach((bound, count) -> difference.put(bound, count - earlier.buckets.getOrDefault(bound, 0.0)));
        return new Histogram(difference);
    }

    double count() {
        return buckets.isEmpty() ? 0 : buckets.lastEntry().getValue();
    }

    /**
     * The value below which a fraction of all lies: interpolated linearly within the bucket that holds it, as Prometheus's
     * {@code histogram_quantile} does.
     *
     * @param largest see {@link #largest}: the highest bucket ends there
     * @return null if the histogram is empty
     */
    @Nullable
    Double quantile(double fraction, double largest) {
        double rank = fraction * count();
        double lower = 0;
        double below = 0;
        for (Map.Entry<Double, Double> bucket : buckets.entrySet()) {
            double within = bucket.getValue() - below;
            if (within > 0 && bucket.getValue() >= rank) {
                double upper = Math.min(bucket.getKey(), largest);
                return lower + (upper - lower) * (rank - below) / within;
            }
            below = bucket.getValue();
            lower = bucket.getKey();
        }
        return null;
    }

    /**
     * The largest value: somewhere in the highest bucket that is not empty.
     *
     * @param decaying the largest value of a longer time than this histogram's, which therefore may be too large
     * @return the decaying one where it lies in that bucket, else the bucket's nearer bound; null if the histogram is empty
     */
    @Nullable
    Double largest(double decaying) {
        double lower = 0;
        double below = 0;
        @Nullable Double largest = null;
        for (Map.Entry<Double, Double> bucket : buckets.entrySet()) {
            if (bucket.getValue() > below) {
                largest = Math.max(lower, Math.min(bucket.getKey(), decaying));
            }
            below = bucket.getValue();
            lower = bucket.getKey();
        }
        return largest;
    }
}
