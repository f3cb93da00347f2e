package dev.chatterbox.network;

import dev.chatterbox.processes.Probe;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * A port to which processes of a stack connect for the calls of its rows: a broker's for clients, or one of a responder
 * that the aggregator calls. Only such a port can have a network before it.
 *
 * @param name the process's, with the port's role unless that is clear
 * @param probe by which the round trip is measured; empty where nothing is known that it answers at once
 * @param rows whose calls go there, by name
 */
public record Upstream(String name, int port, Optional<Probe> probe, Set<String> rows) {

    /** The same for the rows of both. */
    public Upstream with(Upstream other) {
        Set<String> both = new TreeSet<>(rows);
        both.addAll(other.rows);
        return new Upstream(name, port, probe, both);
    }
}
