package dev.chatterbox.comparison;

/** How long a warm-up lasts: at least and at most, in seconds. Where the two are equal, its length is fixed. */
public record WarmUpBounds(double minSeconds, double maxSeconds) {

    private static final double TOLERANCE = 0.05;
    private static final int WINDOWS = 3;

    /**
     * When the generator ends it, as its plan has it: the throughput of the last windows lies within the tolerance of
     * their mean, or the time is up.
     *
     * @param windowSeconds the length of a window
     * @param tolerance a fraction
     * @param windows how many
     */
    record Rule(double windowSeconds, double tolerance, int windows, double minSeconds, double maxSeconds) {}

    static WarmUpBounds fixed(double seconds) {
        return new WarmUpBounds(seconds, seconds);
    }

    Rule rule() {
        // Of a fixed length, nothing is asked of its throughput, which is what a rule of one window says.
        int windows = isFixed() ? 1 : WINDOWS;
        // Short warm-ups have short windows, so that several times three of them fit.
        double longest = isFixed() ? maxSeconds : maxSeconds / (2 * WINDOWS);
        return new Rule(Math.max(0.1, Math.min(1, longest)), TOLERANCE, windows, minSeconds, maxSeconds);
    }

    /** Whether nothing but the clock ends it. */
    boolean isFixed() {
        return minSeconds == maxSeconds;
    }

    /** For the estimate of how long a comparison takes. */
    double likelySeconds() {
        return (minSeconds + 2 * maxSeconds) / 3;
    }
}
