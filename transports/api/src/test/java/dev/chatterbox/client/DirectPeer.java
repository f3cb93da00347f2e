package dev.chatterbox.client;

/** A server whose requests a test answers. */
public abstract class DirectPeer extends ScriptedPeer {

    public abstract int port();

    /** Requests that came on a connection that is still open, and were neither answered nor given up. */
    public abstract int unanswered();

    /** How many connections there have been. */
    public abstract int connections();
}
