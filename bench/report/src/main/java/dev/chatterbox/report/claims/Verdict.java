package dev.chatterbox.report.claims;

import dev.chatterbox.results.Estimate;
import java.util.Locale;

/**
 * What a measured ratio says of a published one. Both say how many times better the first of two systems is, so a
 * published ratio is 1 or more.
 *
 * <p>No verdict but {@link #NOT_RESOLVED} can be had by measuring badly: a ratio of 1.00 reproduces nothing but a
 * published ratio near 1, and an interval that holds 1 and the published ratio says nothing.
 */
public enum Verdict {
    /**
     * The interval lies above 1 and within a factor of 2 of the published ratio, and the figure itself within a factor
     * of 1.5. Of a published ratio within 5 % of 1: the interval lies within 0.9 to 1.1.
     */
    REPRODUCED,
    /** The interval lies above 1, and the figure is another. */
    DIRECTION_ONLY,
    /** The interval lies below 1; or within 0.9 to 1.1, where the published ratio is 1.5 or more. */
    CONTRADICTED,
    /** Nothing of the above, or no interval. */
    NOT_RESOLVED,
    /** A condition that decides the published figure cannot be had here. */
    NOT_COMPARABLE;

    private static final double NEAR_ONE = 1.05;
    private static final double EQUAL_FROM = 0.9;
    private static final double EQUAL_TO = 1.1;
    private static final double POINT = 1.5;
    private static final double INTERVAL = 2;

    public String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    /**
     * The verdict on one published ratio.
     *
     * @param published 1 or more; {@link Claim#SIGN_ONLY} if the source says only which is better
     * @param ours what was measured, as the same ratio
     */
    public static Verdict of(double published, Estimate ours) {
        if (!ours.hasInterval()) {
            return NOT_RESOLVED;
        }
        boolean equal = ours.from() >= EQUAL_FROM && ours.to() <= EQUAL_TO;
        boolean figure = published > Claim.SIGN_ONLY;
        if (figure && published <= NEAR_ONE && equal) {
            return REPRODUCED;
        }
        if (ours.from() > 1) {
            boolean same = figure
                    && published > NEAR_ONE
                    && within(ours.value(), published, POINT)
                    && within(ours.from(), published, INTERVAL)
                    && within(ours.to(), published, INTERVAL);
            return same ? REPRODUCED : DIRECTION_ONLY;
        }
        return ours.to() < 1 || equal && published >= POINT ? CONTRADICTED : NOT_RESOLVED;
    }

    private static boolean within(double ours, double published, double factor) {
        return ours >= published / factor && ours <= published * factor;
    }
}
