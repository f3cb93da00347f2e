package dev.chatterbox.results;

/**
 * A figure or a ratio with its 99 % interval.
 *
 * @param value the quotient of the sums over all blocks
 * @param from the interval's lower end; NaN where there are too few blocks for one
 * @param to its upper end; likewise
 * @param median of the blocks' own quotients: where it lies far from {@code value}, few blocks decide
 */
public record Estimate(double value, double from, double to, double median) {

    /** Nothing was measured. */
    public static final Estimate NONE = new Estimate(Double.NaN, Double.NaN, Double.NaN, Double.NaN);

    /** Value and median of the blocks further apart than that are a doubt, which is printed. */
    private static final double APART = 0.05;

    public boolean hasInterval() {
        return Double.isFinite(from) && Double.isFinite(to);
    }

    /** How much larger than the value the interval's upper end is: 0.05 is 5 %; infinite without an interval. */
    public double width() {
        return hasInterval() ? to / value - 1 : Double.POSITIVE_INFINITY;
    }

    /** Whether some few blocks decide the value. */
    public boolean isDoubtful() {
        return Math.abs(Math.log(value / median)) > Math.log(1 + APART);
    }

    /** Whether it is less than 1 beyond doubt, and by more than a part of this: 0.05 is 5 %. */
    public boolean isLessThanOneBy(double part) {
        return hasInterval() && to < 1 && value < 1 / (1 + part);
    }

    /** Of the inverse ratio. */
    public Estimate inverse() {
        return new Estimate(1 / value, 1 / to, 1 / from, 1 / median);
    }
}
