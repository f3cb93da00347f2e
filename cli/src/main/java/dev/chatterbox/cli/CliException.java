package dev.chatterbox.cli;

/** Ends the command with a message for the person at the terminal. */
final class CliException extends RuntimeException {

    private final int exitCode;

    CliException(String message) {
        this(ExitCode.FAILED, message);
    }

    CliException(int exitCode, String message) {
        super(message);
        this.exitCode = exitCode;
    }

    int exitCode() {
        return exitCode;
    }
}
