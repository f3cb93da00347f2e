package dev.chatterbox.results;

import java.util.List;

/**
 * A figure or a ratio with its 99 % interval, and with the caveats of all that it is made of.
 *
 * @param value the quotient of the sums over all blocks
 * @param from the lower end of the interval; NaN if there are too few blocks for one
 * @param to the upper end of the interval; likewise
 * @param median the median of the blocks' own quotients: if it is far from {@code value}, few blocks decide
 */
public record Estimate(double value, double from, double to, double median, List<Caveat> caveats) {

    /** The estimate of what was not measured. */
    public static final Estimate NONE = of(Double.NaN, List.of());

    /** If value and median differ by more than this part, a doubt is printed. */
    private static final double APART = 0.05;

    /** A figure without an interval. */
    public static Estimate of(double value, List<Caveat> caveats) {
        return new Estimate(value, Double.NaN, Double.NaN, value, caveats);
    }

    public boolean hasInterval() {
        return Double.isFinite(from) && Double.isFinite(to);
    }

    /** How much larger than the value the interval's upper end is: 0.05 is 5 %; infinite without an interval. */
    public double width() {
        return hasInterval() ? to / value - 1 : Double.POSITIVE_INFINITY;
    }

    /** Whether a few blocks decide the value. */
    public boolean isDoubtful() {
        return Math.abs(Math.log(value / median)) > Math.log(1 + APART);
    }

    /** Whether it has an interval that does not contain 1. */
    public boolean leavesOutOne() {
        return from > 1 || to < 1;
    }

    /** Whether it is less than 1 with 99 % confidence, and by more than this part: 0.05 is 5 %. */
    public boolean isLessThanOneBy(double part) {
        return hasInterval() && to < 1 && value < 1 / (1 + part);
    }

    /** The estimate of the inverse ratio. */
    public Estimate inverse() {
        return new Estimate(1 / value, 1 / to, 1 / from, 1 / median, caveats);
    }

    /** The figure in another unit. */
    public Estimate times(double factor) {
        return new Estimate(factor * value, factor * from, factor * to, factor * median, caveats);
    }

    /** The figure with more caveats. */
    public Estimate with(List<Caveat> more) {
        return new Estimate(value, from, to, median, Caveat.both(caveats, more));
    }
}
