package dev.chatterbox.report;

import java.util.Arrays;

/**
 * A number that was measured several times: its median and every round that counts. NaN where it was never measured.
 */
record Figure(double median, double[] rounds) {

    static final Figure NONE = new Figure(Double.NaN, new double[0]);

    static Figure of(double... rounds) {
        return new Figure(median(rounds), rounds);
    }

    static double median(double... values) {
        if (values.length == 0) {
            return Double.NaN;
        }
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    /** Every round so many times as large. */
    Figure times(double factor) {
        return new Figure(
                median * factor,
                Arrays.stream(rounds).map(round -> round * factor).toArray());
    }

    /** Zero is no measurement of anything that is compared here, and ratios to it mean nothing. */
    boolean exists() {
        return Double.isFinite(median) && median > 0;
    }

    double min() {
        return Arrays.stream(rounds).min().orElse(median);
    }

    double max() {
        return Arrays.stream(rounds).max().orElse(median);
    }

    /** (max − min) ÷ median; NaN for less than two rounds, which have no spread. */
    double spread() {
        return rounds.length < 2 ? Double.NaN : (max() - min()) / median;
    }
}
