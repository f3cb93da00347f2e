package dev.chatterbox.comparison.target;

import dev.chatterbox.comparison.ComparisonException;
import dev.chatterbox.rows.Row;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The running system that is compared.
 *
 * @param rows those that can be compared
 * @param processes all of it, also what this comparison does not use
 * @param network what lies between them, if anything does
 */
public record Target(Process aggregator, List<RowTarget> rows, List<Process> processes, Optional<Network> network) {

    /** Does nothing where there is no network: then there is no other distance than 0. */
    public void setDistance(int millis) {
        if (network.isPresent() && network.get().distanceMillis() != millis) {
            network.get().setDistance(millis);
        }
    }

    /** @param port of its HTTP, or for a broker of its clients */
    public record Process(String name, long pid, int port) {}

    /**
     * A row and the processes that serve it.
     *
     * @param responder empty where requester and responder are one
     * @param metrics the path of the responder's figures, on its port
     * @param broker what stands between them, if anything does
     * @param libraries jars, or runnable jars with other jars inside, whose versions the results tell
     * @param rawClient empty where it has none
     */
    public record RowTarget(
            Row row,
            Optional<Process> responder,
            Optional<String> metrics,
            Optional<Process> broker,
            List<Path> libraries,
            Optional<RawClient> rawClient) {}

    /**
     * A row's bare client.
     *
     * @param command complete but for the driver's own arguments, which are appended
     * @param environment what it is told besides what this process is told
     */
    public record RawClient(List<String> command, Map<String, String> environment) {}

    /** @throws ComparisonException the system has no such row */
    public RowTarget row(String name) {
        return rows.stream()
                .filter(target -> target.row().name().equals(name))
                .findFirst()
                .orElseThrow(() -> new ComparisonException("The running system has no row '%s'.".formatted(name)));
    }
}
