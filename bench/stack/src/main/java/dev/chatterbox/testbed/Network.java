package dev.chatterbox.testbed;

import java.util.List;

/** The network between the processes of a running system, in which a distance can be set. */
public interface Network {

    /** The process of the network itself. */
    Target.Process process();

    /** The ports that it leads to. */
    List<NetworkLink> links();

    /** The round-trip time that it adds to each link now, in milliseconds. */
    int distanceMillis();

    /**
     * Sets another distance for all links, also for open connections, and returns when the distance holds.
     *
     * @throws RuntimeException the network did not do so; the message says why
     */
    void setDistance(int millis);
}
