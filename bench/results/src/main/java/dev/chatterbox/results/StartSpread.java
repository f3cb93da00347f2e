package dev.chatterbox.results;

/** By how much two starts of one stack differ for good. */
final class StartSpread {

    /**
     * The standard deviation of the logarithm of CPU per call over starts, used where a run has one start. NOT YET
     * MEASURED with this bench: 0.02 is what docs/how-we-measure.md says of its sketch.
     */
    static final double COMMITTED = 0.02;

    private StartSpread() {}
}
