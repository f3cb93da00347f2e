package dev.chatterbox.testbed;

import dev.chatterbox.processes.Probe;
import java.util.Optional;
import java.util.Set;

/**
 * A port behind the network.
 *
 * @param port the port of the network that leads there
 * @param behind the port itself
 * @param probe a question that is answered there at once; empty if none is known
 * @param rows the names of the rows whose calls go there
 */
public record NetworkLink(String name, int port, int behind, Optional<Probe> probe, Set<String> rows) {}
