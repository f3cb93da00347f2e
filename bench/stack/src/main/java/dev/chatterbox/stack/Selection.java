package dev.chatterbox.stack;

import dev.chatterbox.rows.Row;
import dev.chatterbox.rows.RowException;
import dev.chatterbox.rows.Rows;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The rows that a command uses.
 *
 * @param rows the rows, by name
 * @param chosen the words by which a person chose the rows: names, {@link Rows#ALL} or {@link Rows#EACH}; none means
 *     the rows that are started by default
 * @param replicas how many processes a service has, by its name; one if it is not here
 * @param traces the share of the requests that the aggregator traces, 0 to 1
 */
public record Selection(List<Row> rows, List<String> chosen, Map<String, Integer> replicas, double traces) {

    /** OpenTelemetry's own variables, which name the collector of traces. Every service reads them. */
    public static final List<String> COLLECTORS =
            List.of("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT");

    /** Their ports must not reach those of other services. */
    static final int MOST_REPLICAS = 9;

    /** @throws RowException a word names no row */
    public static Selection of(Rows rows, List<String> chosen) {
        return new Selection(rows.choose(chosen), List.copyOf(chosen), Map.of(), 0);
    }

    /**
     * The same rows with several processes of some services.
     *
     * @throws UsageException the rows have no such service, or the number is out of range
     */
    public Selection with(Map<String, Integer> replicas) {
        replicas.forEach((service, number) -> {
            if (!services().contains(service)) {
                throw new UsageException("--replicas %s=%d: these rows have no such service; they have %s."
                        .formatted(service, number, String.join(", ", services())));
            }
            if (number < 1 || number > MOST_REPLICAS) {
                throw new UsageException(
                        "--replicas %s=%d: must be 1 to %d.".formatted(service, number, MOST_REPLICAS));
            }
        });
        return new Selection(rows, chosen, Map.copyOf(replicas), traces);
    }

    /**
     * The same with a share of all requests traced.
     *
     * @throws UsageException the share is out of range
     */
    public Selection withTraces(double share) {
        if (!(share >= 0 && share <= 1)) {
            throw new UsageException("--traces %s: must be 0 to 1, such as 0.01 for a hundredth.".formatted(share));
        }
        return new Selection(rows, chosen, replicas, share);
    }

    /** The same rows with the processes and the share of traces that a stack was started with. */
    Selection as(StackState state) {
        return new Selection(rows, chosen, state.replicas(), state.traces());
    }

    private TreeSet<String> services() {
        return Stream.concat(
                        Stream.of(Repository.AGGREGATOR),
                        rows.stream().flatMap(row -> row.responder().stream()).map(Row.Responder::name))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    int replicas(String service) {
        return replicas.getOrDefault(service, 1);
    }

    public List<String> names() {
        return rows.stream().map(Row::name).toList();
    }

    /** Whether the row was chosen by its name or by default, and not only as one of all: then it must start. */
    boolean requires(Row row) {
        return chosen.contains(row.name()) || !chosen.contains(Rows.ALL) && !chosen.contains(Rows.EACH);
    }

    /** The command line's options that choose this. */
    public String option() {
        return (chosen.isEmpty() ? "" : " --transports " + String.join(",", chosen))
                + new TreeMap<>(replicas)
                        .entrySet().stream()
                                .map(entry -> " --replicas " + entry)
                                .collect(Collectors.joining())
                + (traces == 0 ? "" : " --traces " + traces);
    }
}
