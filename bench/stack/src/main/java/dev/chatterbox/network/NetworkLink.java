package dev.chatterbox.network;

import dev.chatterbox.processes.Probe;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * A port to which processes of a stack connect for the calls of its variants: a broker's for clients, or one of a
 * responder that the aggregator calls. Only such a port can have a network before it.
 *
 * @param name of the process, followed by the port's role for a responder's port that is not HTTP
 * @param port by which clients reach the port: one of the network, or the port itself if there is no network
 * @param behind the port itself
 * @param probe by which the round trip is measured; empty if no request is known that the process answers at once
 * @param variants names of the variants whose calls go to the port
 */
public record NetworkLink(String name, int port, int behind, Optional<Probe> probe, Set<String> variants) {

    /** The same link, with the variants of both. */
    public NetworkLink with(NetworkLink other) {
        Set<String> both = new TreeSet<>(variants);
        both.addAll(other.variants);
        return new NetworkLink(name, port, behind, probe, both);
    }
}
