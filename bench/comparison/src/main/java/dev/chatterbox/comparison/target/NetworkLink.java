package dev.chatterbox.comparison.target;

import dev.chatterbox.processes.Probe;
import java.util.Optional;
import java.util.Set;

/**
 * A port behind the network.
 *
 * @param port of the network, which leads there
 * @param behind the port itself
 * @param probe that is answered there at once; empty where none is known
 * @param rows whose calls go there, by name
 */
public record NetworkLink(String name, int port, int behind, Optional<Probe> probe, Set<String> rows) {}
