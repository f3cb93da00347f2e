package dev.chatterbox.report.prediction;

import java.util.List;

/**
 * How far predictions of cells were from the measured values, when the model had not seen these cells: the part by
 * which the larger of the two exceeds the smaller. A prediction of twice the measured value and one of half of it are
 * both off by 1. So the measured value is between prediction ÷ (1 + error) and prediction × (1 + error).
 *
 * @param median the median error of the cells
 * @param nineOfTen the error that nine cells of ten do not exceed
 * @param cells how many cells there are
 */
public record Errors(double median, double nineOfTen, int cells) {

    /** @param errors at least one error, each calculated by {@link #between} */
    static Errors of(List<Double> errors) {
        double[] sorted =
                errors.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        return new Errors(quantile(sorted, 0.5), quantile(sorted, 0.9), sorted.length);
    }

    static double between(double predicted, double measured) {
        return Math.max(predicted / measured, measured / predicted) - 1;
    }

    /** The smallest value that so large a part of all does not exceed. */
    private static double quantile(double[] sorted, double part) {
        return sorted[(int) Math.ceil(part * sorted.length) - 1];
    }
}
