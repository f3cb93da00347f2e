package dev.chatterbox.results;

import java.util.Optional;
import java.util.stream.DoubleStream;

/** A figure over the slices of a cell. Percentiles are nearest ranks. */
public record SliceSeries(double mean, double median, double p95, double max) {

    /** Empty if there are no values. */
    public static Optional<SliceSeries> of(DoubleStream values) {
        double[] sorted = values.sorted().toArray();
        return sorted.length == 0
                ? Optional.empty()
                : Optional.of(new SliceSeries(
                        DoubleStream.of(sorted).average().orElseThrow(),
                        rank(sorted, 0.5),
                        rank(sorted, 0.95),
                        rank(sorted, 1)));
    }

    private static double rank(double[] sorted, double part) {
        return sorted[(int) Math.ceil(part * sorted.length) - 1];
    }
}
