package dev.chatterbox.results;

/** By how much two starts of one stack differ for good. */
final class StartSpread {

    /**
     * The standard deviation of the logarithm of CPU per call over starts, used where a run has one start. NOT YET
     * MEASURED with this bench: 0.02 is about what the sketch in docs/decisions/0021-paired-slices.md showed.
     */
    static final double COMMITTED = 0.02;

    private StartSpread() {}
}
