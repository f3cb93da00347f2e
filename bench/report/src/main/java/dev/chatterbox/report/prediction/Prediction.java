package dev.chatterbox.report.prediction;

import java.util.Map;
import java.util.Optional;

/**
 * What a row would cost.
 *
 * @param cores processors by role
 * @param system processors in all
 * @param p50 of a request, in seconds; empty where it cannot be told
 * @param withoutP50 why it cannot be told, after "for"; empty where it can
 */
public record Prediction(
        String row,
        Map<String, Double> cores,
        Estimate system,
        Optional<Estimate> p50,
        String withoutP50,
        Accuracy accuracy) {

    /**
     * How well a row's model is known.
     *
     * @param rates of cells between two rates of a load, each left out at this rate
     * @param loads of cells whose load was left out at every rate; empty where no load lies between two others
     */
    public record Accuracy(HeldOut rates, Optional<HeldOut> loads) {

        /** Of the two the one that is further off, which is what a prediction is shown with. */
        double cpuWithin() {
            return loads.stream().mapToDouble(one -> one.cpu.nineOfTen()).reduce(rates.cpu.nineOfTen(), Math::max);
        }

        /** Likewise of the p50. */
        double latencyWithin() {
            return loads.stream()
                    .mapToDouble(one -> one.latency.nineOfTen())
                    .reduce(rates.latency.nineOfTen(), Math::max);
        }
    }

    /** Errors of the system's processors, and of the p50, where the model had not seen them. */
    public record HeldOut(Errors cpu, Errors latency) {}

    /** A figure, and between what it lies if it is as far off as nine of ten cells that the model had not seen. */
    public record Estimate(double value, double low, double high) {

        static Estimate of(double value, double within) {
            return new Estimate(value, value / (1 + within), value * (1 + within));
        }
    }
}
