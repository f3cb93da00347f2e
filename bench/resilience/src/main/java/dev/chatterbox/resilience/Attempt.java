package dev.chatterbox.resilience;

import dev.chatterbox.processes.ProcessException;
import java.io.IOException;
import java.util.Optional;

/** A part of a case that may fail: the case has failed then, with the reason, and the run goes on. */
@FunctionalInterface
interface Attempt {

    void run() throws IOException, InterruptedException;

    /**
     * Runs it.
     *
     * @return why it failed, in a line; empty where it did not
     * @throws InterruptedException the run was interrupted, whatever the attempt made of that
     */
    static Optional<String> failure(Attempt attempt) throws InterruptedException {
        try {
            attempt.run();
            return Optional.empty();
        } catch (IOException | RuntimeException e) {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            return Optional.of(e instanceof ProcessException process ? process.line() : reason(e));
        }
    }

    /** A connection that is refused has often no message of its own. */
    private static String reason(Exception e) {
        String message = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
        return e instanceof IOException ? e.getClass().getSimpleName() + ": " + message : message;
    }
}
