package dev.chatterbox.resilience;

import dev.chatterbox.processes.ProcessException;
import dev.chatterbox.stack.Steps;
import dev.chatterbox.stack.UsageException;
import java.io.IOException;
import java.util.Optional;

/** A part of a case that may fail. If it fails, the case has failed, with the reason, and the run goes on. */
@FunctionalInterface
interface Attempt {

    void run() throws IOException, InterruptedException;

    /**
     * Runs the attempt.
     *
     * @param steps gets the stack trace of a failure
     * @return the reason of the failure, in one line; empty if the attempt did not fail
     * @throws InterruptedException the run was interrupted, even if the attempt threw something else because of that
     */
    static Optional<String> failure(Steps steps, Attempt attempt) throws InterruptedException {
        try {
            attempt.run();
            return Optional.empty();
        } catch (IOException | RuntimeException e) {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            steps.trace(e);
            return Optional.of(reason(e));
        }
    }

    /**
     * The message of an exception that was made for a person. Of any other, its class is named too, because a refused
     * connection often has no message; and of a defect also its place.
     */
    private static String reason(Exception e) {
        if (e instanceof ProcessException process) {
            return process.line();
        }
        String message = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
        String named = e instanceof UsageException ? message : e.getClass().getSimpleName() + ": " + message;
        return e instanceof IOException || e instanceof UsageException || e.getStackTrace().length == 0
                ? named
                : "%s (%s)".formatted(named, e.getStackTrace()[0]);
    }
}
