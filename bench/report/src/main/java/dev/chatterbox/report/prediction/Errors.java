package dev.chatterbox.report.prediction;

import dev.chatterbox.results.Quantile;
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
        return new Errors(quantile(0.5, errors), quantile(0.9, errors), errors.size());
    }

    static double between(double predicted, double measured) {
        return Math.max(predicted / measured, measured / predicted) - 1;
    }

    private static double quantile(double part, List<Double> errors) {
        return Quantile.of(part, errors.stream().mapToDouble(Double::doubleValue));
    }
}
