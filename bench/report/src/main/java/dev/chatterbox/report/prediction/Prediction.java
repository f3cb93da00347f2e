package dev.chatterbox.report.prediction;

import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * What a row would cost.
 *
 * @param cores processors by role
 * @param system processors in all
 * @param p50 of a request, in seconds; empty where it cannot be told
 * @param withoutP50 why it cannot be told, after "for"; empty where it can
 */
public record Prediction(
        String row, Map<String, Double> cores, Estimate system, Optional<Estimate> p50, String withoutP50) {

    /**
     * How well a row's model is known.
     *
     * @param rates of cells between two rates of a load, each left out at this rate
     * @param loads of cells whose load was left out at every rate; empty where no load lies between two others
     */
    public record Accuracy(HeldOut rates, Optional<HeldOut> loads) {

        /**
         * By how much more or less the same costs in another hour: of the cells that were left out, all are of the hour
         * of the run. On the shared two cores of docs/how-we-measure.md a call cost half as much again in some quarters
         * of an hour.
         */
        public static final double ANOTHER_HOUR = 0.5;

        /** Of the two the one that is further off, in another hour: what a prediction is shown with. */
        double cpuWithin() {
            return within(HeldOut::cpu);
        }

        /** Likewise of the p50. */
        double latencyWithin() {
            return within(HeldOut::latency);
        }

        private double within(Function<HeldOut, Errors> of) {
            double known = of.apply(rates).nineOfTen();
            return inAnotherHour(loads.map(of)
                    .map(Errors::nineOfTen)
                    .filter(off -> off > known)
                    .orElse(known));
        }

        /** The two do not depend on each other, so their logarithms add up in squares. */
        static double inAnotherHour(double within) {
            return Math.expm1(Math.hypot(Math.log1p(within), Math.log1p(ANOTHER_HOUR)));
        }
    }

    /** Errors of the system's processors, and of the p50, where the model had not seen them. */
    public record HeldOut(Errors cpu, Errors latency) {}

    /**
     * A figure, and between what it lies if it is as far off as nine of ten cells that the model had not seen, and the
     * hour is another one.
     */
    public record Estimate(double value, double low, double high) {

        static Estimate of(double value, double within) {
            return new Estimate(value, value / (1 + within), value * (1 + within));
        }
    }
}
