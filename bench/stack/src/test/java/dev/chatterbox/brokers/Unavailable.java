package dev.chatterbox.brokers;

import dev.chatterbox.processes.ProcessException;
import java.util.Optional;

/** Says why this machine cannot have a program, so that the tests that need it are skipped. */
public final class Unavailable {

    private Unavailable() {}

    /**
     * The reason, with the remedies, in one line for people; empty if this machine can have it.
     *
     * @param origin looks for the program, as {@link Broker#origin()} does
     */
    public static Optional<String> why(Runnable origin) {
        try {
            origin.run();
            return Optional.empty();
        } catch (ProcessException e) {
            return Optional.of(e.line());
        }
    }
}
