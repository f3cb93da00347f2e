package dev.chatterbox.comparison;

/**
 * A cell's turn in the order of the run.
 *
 * @param round from 1; 0 is the first warm-up, of which no figure is kept
 * @param turn of the heavy load that comes before everything else, from 1; 0 for a cell's own slots
 * @param warmUp before the window; in the first warm-up of the closed model, at the most
 * @param seconds of the measured window
 * @param likelySeconds that the warm-up takes, for the estimate
 * @param watched whether {@link FirstWarmUp} ends its warm-up; else its bounds do
 */
record Slot(
        int round,
        int turn,
        CellPlan cell,
        WarmUpBounds warmUp,
        double seconds,
        double likelySeconds,
        boolean watched) {

    /** Seconds beside warm-up and window: the drain, and Gatling's step to the next slot. */
    static final double BETWEEN = 0.5;

    boolean isFirstWarmUp() {
        return round == 0;
    }

    double allSeconds() {
        return likelySeconds + seconds + BETWEEN;
    }

    /** Names it between the generator and this program. */
    String id() {
        return "%s %s".formatted(isFirstWarmUp() ? turn == 0 ? "warm-up" : "warm-up " + turn : round, cell);
    }
}
