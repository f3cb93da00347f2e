package dev.chatterbox.comparison.target;

import java.util.List;

/** What lies between the processes of a running system, where it has one: there a distance can be set. */
public interface Network {

    /** Its own. */
    Target.Process process();

    /** The ports that it leads to. */
    List<NetworkLink> links();

    /** The round-trip time that it puts into each link now, in milliseconds. */
    int distanceMillis();

    /**
     * Sets another distance, of all links and also of connections that are open; returns when it holds.
     *
     * @throws RuntimeException it does not do so; the message says why
     */
    void setDistance(int millis);
}
