package dev.chatterbox.comparison;

/**
 * When a cell is warm: the throughput of the last windows lies within the tolerance of their mean, or the time is up. Where the
 * length is fixed, only the last one is looked at, which always does.
 *
 * @param windowSeconds the length of a window
 * @param tolerance a fraction
 * @param windows how many
 */
record WarmUp(double windowSeconds, double tolerance, int windows, double minSeconds, double maxSeconds) {

    private static final double TOLERANCE = 0.05;
    private static final int WINDOWS = 3;

    static WarmUp of(double minSeconds, double maxSeconds) {
        if (minSeconds == maxSeconds) {
            // Of one length: nothing is asked of its throughput.
            return new WarmUp(Math.max(0.1, Math.min(1, maxSeconds)), TOLERANCE, 1, minSeconds, maxSeconds);
        }
        // Short warm-ups have short windows, so that several times three of them fit.
        return new WarmUp(
                Math.max(0.1, Math.min(1, maxSeconds / (2 * WINDOWS))), TOLERANCE, WINDOWS, minSeconds, maxSeconds);
    }

    /** For the estimate of how long a comparison takes. */
    double likelySeconds() {
        return (minSeconds + 2 * maxSeconds) / 3;
    }
}
