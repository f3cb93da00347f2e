package dev.chatterbox.comparison;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The running system that is compared.
 *
 * @param transports those that can be compared, by name
 * @param processes all of it, also what this comparison does not use
 */
public record Target(Process aggregator, List<Transport> transports, List<Process> processes) {

    /** @param port of its HTTP, or for a broker of its clients */
    public record Process(String name, long pid, int port) {}

    /**
     * @param kind direct, broker or log
     * @param responderJar what the responder runs, and where its raw client is
     */
    public record Transport(
            String name,
            String kind,
            Process responder,
            Path responderJar,
            Optional<Process> broker,
            Optional<RawClient> rawClient) {}

    /**
     * A transport's bare client.
     *
     * @param environment what the aggregator was told
     */
    public record RawClient(String mainClass, Map<String, String> environment) {}

    Transport transport(String name) {
        return transports.stream()
                .filter(transport -> transport.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(name));
    }
}
