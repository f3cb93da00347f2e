package dev.chatterbox.cli;

/** The exit codes that tell scripts how a command ended. */
final class ExitCode {

    static final int OK = 0;
    static final int FAILED = 1;
    static final int WRONG_USAGE = 2;

    /** The command did what it is for, and found what should not be: a process that is down, or a higher cost. */
    static final int NEGATIVE = 3;

    private ExitCode() {}
}
