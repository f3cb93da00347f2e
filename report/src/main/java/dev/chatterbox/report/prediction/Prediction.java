package dev.chatterbox.report.prediction;

import java.util.Map;
import java.util.Optional;

/**
 * What a row would cost.
 *
 * @param cores processors by role
 * @param system processors in all
 * @param p50 of a request, in seconds; empty where the machine that was measured would have no processor left
 */
public record Prediction(
        String row, Map<String, Double> cores, Estimate system, Optional<Estimate> p50, Accuracy accuracy) {

    /** How well a row's model is known. */
    public record Accuracy(Errors cpu, Errors latency) {}

    /** A figure, and between what it lies if it is as far off as nine of ten cells that the model had not seen. */
    public record Estimate(double value, double low, double high) {

        static Estimate of(double value, Errors errors) {
            return new Estimate(value, value / (1 + errors.nineOfTen()), value * (1 + errors.nineOfTen()));
        }
    }
}
