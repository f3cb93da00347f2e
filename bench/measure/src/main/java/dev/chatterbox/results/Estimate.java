package dev.chatterbox.results;

import java.util.List;

/**
 * A figure or a ratio with its 99 % interval, and with the caveats of all that it is made of.
 *
 * @param value the quotient of the sums over all blocks
 * @param from the lower end of the interval; NaN if there are too few blocks for one
 * @param to the upper end of the interval; likewise
 */
public record Estimate(double value, double from, double to, List<Caveat> caveats) {

    /** The estimate of what was not measured. */
    public static final Estimate NONE = of(Double.NaN, List.of());

    /** A figure without an interval. */
    public static Estimate of(double value, List<Caveat> caveats) {
        return new Estimate(value, Double.NaN, Double.NaN, caveats);
    }

    public boolean hasInterval() {
        return Double.isFinite(from) && Double.isFinite(to);
    }

    /** How much larger than the value the interval's upper end is: 0.05 is 5 %; infinite without an interval. */
    public double width() {
        return hasInterval() ? to / value - 1 : Double.POSITIVE_INFINITY;
    }

    /** Whether it has an interval that does not contain 1. */
    public boolean leavesOutOne() {
        return from > 1 || to < 1;
    }

    /** The figure in another unit. */
    public Estimate times(double factor) {
        return new Estimate(factor * value, factor * from, factor * to, caveats);
    }

    /** The figure with more caveats. */
    public Estimate with(List<Caveat> more) {
        return new Estimate(value, from, to, Caveat.both(caveats, more));
    }
}
