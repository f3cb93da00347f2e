package dev.chatterbox.cli;

/** What the commands tell scripts. */
public final class ExitCode {

    public static final int OK = 0;
    public static final int FAILED = 1;
    public static final int WRONG_USAGE = 2;
    public static final int NOT_ALL_UP = 3;

    private ExitCode() {}
}
