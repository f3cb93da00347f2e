package dev.chatterbox.aggregator.client;

/** A server whose requests a test answers. */
public abstract class DirectPeer extends ScriptedPeer {

    public abstract int port();

    /** Requests that came and were neither answered nor given up, on a connection that is open still. */
    public abstract int unanswered();

    /** The connections that there ever were. */
    public abstract int connections();
}
