package dev.chatterbox.report.prediction;

import java.util.List;

/**
 * How far predictions of cells lay from what was measured there, when the model had not seen them: by what part the
 * larger of the two exceeds the smaller. A prediction that is twice too high and one that is half of what was measured
 * are both off by 1, so that what was measured lay within prediction ÷ (1 + error) and prediction × (1 + error).
 *
 * @param median of the cells
 * @param nineOfTen what nine cells of ten lay within
 * @param cells how many
 */
public record Errors(double median, double nineOfTen, int cells) {

    /** @param errors at least one, each as {@link #between} tells it */
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
