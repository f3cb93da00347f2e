package dev.chatterbox.transport;

/** The default values of settings; docs/decisions/0009-defaults.md has the measurements that they come from. */
public final class Defaults {

    /** The deadline of a call, from its sending to its reply ({@code chatterbox.call-timeout}), in seconds. */
    public static final int CALL_TIMEOUT_SECONDS = 5;

    /** Messages of one request in flight ({@code chatterbox.concurrency-per-request}). */
    public static final int PER_REQUEST = 1024;

    /** Messages of one variant in flight, over all requests ({@code chatterbox.max-in-flight}). */
    public static final int IN_FLIGHT = 2048;

    private Defaults() {}
}
