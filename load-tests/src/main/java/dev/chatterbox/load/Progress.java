package dev.chatterbox.load;

/** Told what happens in a run, in order; never by two threads at once. */
interface Progress {

    /** No request has been sent yet. */
    void ready();

    /** The first request is about to be sent. */
    void warmUp(Cell cell);

    /** The measured window begins when this returns. */
    void measure(Cell cell);

    void measured(Cell cell);

    /** All requests of the cell have ended. */
    void ended(Cell cell, CellResult result);

    void done();

    /** Whether a cell of the closed model is known to be warm before its rule says so. Asked after each window. */
    default boolean isWarm(Cell cell) {
        return false;
    }

    /** Returns when the next cell may begin. */
    default void awaitNext(Cell cell) throws InterruptedException {}
}
