package dev.chatterbox.report.prediction;

import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * What a row would cost.
 *
 * @param cores processors in use by role
 * @param system processors in use by all of them
 * @param p50 the median latency of a request, in seconds; empty if it cannot be predicted
 * @param withoutP50 why it cannot be predicted, to stand after "for"; empty if it can
 */
public record Prediction(
        String row,
        Map<String, Double> cores,
        PredictedFigure system,
        Optional<PredictedFigure> p50,
        String withoutP50) {

    /**
     * How well a row's model is known.
     *
     * @param rates the errors for cells between two rates of a load, when the model had not seen this rate
     * @param loads the errors for cells whose load the model had seen at no rate; empty without loads between two
     *     others
     */
    public record Accuracy(HeldOut rates, Optional<HeldOut> loads) {

        /**
         * The part by which a cost may differ in another hour. The cells that were left out do not show it, because
         * they are of the same hour. On the two shared cores of docs/how-we-measure.md, a call cost 50 % more in some
         * quarters of an hour.
         */
        public static final double ANOTHER_HOUR = 0.5;

        /** The larger of both errors of the cost, with another hour included; a prediction is shown with it. */
        double cpuWithin() {
            return within(one -> Optional.of(one.cpu()));
        }

        /** The larger of both errors of the p50, with another hour included. */
        double latencyWithin() {
            return within(HeldOut::latency);
        }

        private double within(Function<HeldOut, Optional<Errors>> of) {
            return inAnotherHour(Stream.concat(Stream.of(rates), loads.stream())
                    .flatMap(one -> of.apply(one).stream())
                    .mapToDouble(Errors::nineOfTen)
                    .max()
                    .orElse(0));
        }

        /** Adds the error of another hour. The two are independent, so the squares of their logarithms are added. */
        public static double inAnotherHour(double within) {
            return Math.expm1(Math.hypot(Math.log1p(within), Math.log1p(ANOTHER_HOUR)));
        }
    }

    /**
     * The errors of the system's processors and of the p50, for cells that the model had not seen.
     *
     * @param latency empty if the model knows no latency
     */
    public record HeldOut(Errors cpu, Optional<Errors> latency) {}

    /**
     * A figure and its range, which covers the errors of nine of ten cells that the model had not seen, and another
     * hour.
     */
    public record PredictedFigure(double value, double low, double high) {

        static PredictedFigure of(double value, double within) {
            return new PredictedFigure(value, value / (1 + within), value * (1 + within));
        }
    }
}
