package dev.chatterbox.processes;

/** How long a child process may live. */
public enum Lifetime {
    /** The child ends with this JVM, even if SIGKILL ends the JVM. */
    WITH_PARENT,

    /** The child outlives this JVM and its terminal, until somebody stops it. */
    DETACHED
}
