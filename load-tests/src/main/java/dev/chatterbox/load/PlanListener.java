package dev.chatterbox.load;

/** Told what happens in a run, in order; never by two threads at once. */
interface PlanListener {

    /** No request has been sent yet. */
    void ready();

    /** The first request is about to be sent. */
    void warmUp(Step step);

    /** The measured window begins when this returns. */
    void measure(Step step);

    void measured(Step step);

    /** All requests of the step have ended. */
    void ended(Step step, StepResult result);

    void done();

    /** Whether a step of the closed model is known to be warm before its rule says so. Asked after each window. */
    default boolean isWarm(Step step) {
        return false;
    }

    /** Returns when the next step may begin. */
    default void awaitNext(Step step) throws InterruptedException {}
}
