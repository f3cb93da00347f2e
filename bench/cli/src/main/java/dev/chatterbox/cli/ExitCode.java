package dev.chatterbox.cli;

/** The exit codes that tell scripts how a command ended. */
final class ExitCode {

    static final int OK = 0;
    static final int FAILED = 1;
    static final int WRONG_USAGE = 2;
    static final int NOT_ALL_UP = 3;
    static final int DEARER = 3;

    private ExitCode() {}
}
