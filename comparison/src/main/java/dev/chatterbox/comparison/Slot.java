package dev.chatterbox.comparison;

/**
 * A cell's place in the order of the run.
 *
 * @param round from 1; 0 is the first warm-up, of which no figure is kept
 * @param warmUp before the window; in the first warm-up of the closed model, at the most
 * @param seconds of the measured window
 * @param likelySeconds that the warm-up takes, for the estimate
 */
record Slot(int round, Cell cell, WarmUp warmUp, double seconds, double likelySeconds) {

    /** Seconds beside warm-up and window: the drain, and Gatling's step to the next cell. */
    static final double BETWEEN = 1;

    boolean isFirstWarmUp() {
        return round == 0;
    }

    double allSeconds() {
        return likelySeconds + seconds + BETWEEN;
    }

    String id() {
        return "%s-%s-%d-%s"
                .formatted(
                        isFirstWarmUp() ? "warm-up" : round,
                        cell.transport(),
                        cell.calls(),
                        cell.isOpen() ? "open-" + cell.rate() : String.valueOf(cell.users()));
    }
}
