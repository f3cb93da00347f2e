package dev.chatterbox.results;

import java.util.stream.DoubleStream;

/** The quantiles of measured values, by one definition wherever a median or another quantile is shown. */
public final class Quantile {

    private Quantile() {}

    /**
     * The value that so large a part of all values does not exceed. Where this fits two neighbours and all between
     * them, it is their mean, so the median of an even number of values is the mean of the two in the middle.
     *
     * @param part more than 0 and less than 1; 0.5 gives the median
     * @return NaN if there are no values
     */
    public static double of(double part, DoubleStream values) {
        double[] sorted = values.sorted().toArray();
        double count = part * sorted.length;
        return sorted.length == 0 ? Double.NaN : (sorted[(int) Math.ceil(count) - 1] + sorted[(int) count]) / 2;
    }
}
