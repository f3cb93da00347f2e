package dev.chatterbox.processes;

import java.util.stream.Collectors;

/**
 * A process, a stack of them, or a measurement with them cannot be started, found, stopped or carried on. The message is
 * for the person at the terminal: what happened, why (with the last lines of the log, if there are any) and what to do.
 */
public final class ProcessException extends RuntimeException {

    private static final int MOST_CHARACTERS = 500;

    public ProcessException(String message) {
        super(message);
    }

    public ProcessException(String message, Throwable cause) {
        super(message, cause);
    }

    /** The message in one line, without what is beyond {@value #MOST_CHARACTERS} characters, as the lines of a log. */
    public String line() {
        String line = String.valueOf(getMessage()).lines().map(String::strip).collect(Collectors.joining(" "));
        return line.length() > MOST_CHARACTERS ? line.substring(0, MOST_CHARACTERS) + " …" : line;
    }
}
