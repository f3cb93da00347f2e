package dev.chatterbox.report.prediction;

import java.util.List;

/**
 * How far predictions of cells lay from what was measured there, when the model had not seen them: relative, without
 * sign.
 *
 * @param median of the cells
 * @param nineOfTen what nine cells of ten lay within
 * @param cells how many were left out, one at a time
 */
public record Errors(double median, double nineOfTen, int cells) {

    /** @param errors at least one */
    static Errors of(List<Double> errors) {
        double[] sorted = errors.stream().mapToDouble(Math::abs).sorted().toArray();
        return new Errors(quantile(sorted, 0.5), quantile(sorted, 0.9), sorted.length);
    }

    /** The smallest value that so large a part of all does not exceed. */
    private static double quantile(double[] sorted, double part) {
        return sorted[(int) Math.ceil(part * sorted.length) - 1];
    }
}
