package dev.chatterbox.stack;

import dev.chatterbox.processes.Probe;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * A port to which processes of a stack connect for the calls of its rows: a broker's for clients, or a responder's of
 * which the aggregator is told. Only these can have a network before them.
 *
 * @param name the process's, with the port's role unless that is clear
 * @param probe by which the round trip is measured; empty where nothing is known that it answers at once
 * @param rows whose calls go there, by name
 */
public record PlannedLink(String name, int port, Optional<Probe> probe, Set<String> rows) {

    /** For one row more. */
    PlannedLink with(PlannedLink other) {
        Set<String> both = new TreeSet<>(rows);
        both.addAll(other.rows);
        return new PlannedLink(name, port, probe, both);
    }
}
