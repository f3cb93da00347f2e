package dev.chatterbox.load;

import org.HdrHistogram.Histogram;

/** Seconds. All zero where nothing was measured. */
record Percentiles(double p50, double p90, double p95, double p99, double max, double mean) {

    private static final double NANOS = 1e9;

    static Percentiles of(Histogram nanos) {
        return new Percentiles(
                nanos.getValueAtPercentile(50) / NANOS,
                nanos.getValueAtPercentile(90) / NANOS,
                nanos.getValueAtPercentile(95) / NANOS,
                nanos.getValueAtPercentile(99) / NANOS,
                nanos.getMaxValue() / NANOS,
                nanos.getMean() / NANOS);
    }
}
