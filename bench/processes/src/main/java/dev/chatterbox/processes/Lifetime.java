package dev.chatterbox.processes;

/** How long a child process may live. */
public enum Lifetime {
    /**
     * It ends with this JVM, also when that is killed with SIGKILL. Without a POSIX shell: at the JVM's orderly end
     * only.
     */
    WITH_PARENT,

    /** It outlives this JVM and its terminal, until somebody stops it. */
    DETACHED
}
