package dev.chatterbox.results;

/**
 * A figure or a ratio with its 99 % interval.
 *
 * @param value the quotient of the sums over all blocks
 * @param from the lower end of the interval; NaN if there are too few blocks for one
 * @param to the upper end of the interval; likewise
 * @param median the median of the blocks' own quotients: if it is far from {@code value}, few blocks decide
 */
public record Estimate(double value, double from, double to, double median) {

    /** The estimate of what was not measured. */
    public static final Estimate NONE = new Estimate(Double.NaN, Double.NaN, Double.NaN, Double.NaN);

    /** If value and median differ by more than this part, a doubt is printed. */
    private static final double APART = 0.05;

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

    /** Whether it is less than 1 beyond doubt, and by more than this part: 0.05 is 5 %. */
    public boolean isLessThanOneBy(double part) {
        return hasInterval() && to < 1 && value < 1 / (1 + part);
    }

    /** The estimate of the inverse ratio. */
    public Estimate inverse() {
        return new Estimate(1 / value, 1 / to, 1 / from, 1 / median);
    }
}
