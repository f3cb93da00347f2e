package dev.chatterbox.cli;

/** Ends the command with a message for the person at the terminal. */
public final class CliException extends RuntimeException {

    private final int exitCode;

    public CliException(String message) {
        this(ExitCode.FAILED, message);
    }

    public CliException(int exitCode, String message) {
        super(message);
        this.exitCode = exitCode;
    }

    public int exitCode() {
        return exitCode;
    }
}
