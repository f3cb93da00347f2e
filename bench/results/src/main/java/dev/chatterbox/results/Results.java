package dev.chatterbox.results;

import dev.chatterbox.workloads.Workload;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One run of a comparison.
 *
 * @param schema {@link ResultsFile#SCHEMA}, also where an older file was read
 * @param name the preset
 * @param command how the comparison was called
 * @param interrupted whether Ctrl-C ended it; the cells are those that were measured until then
 * @param idleCpu processors that each process used when nothing was called, before the first round, by the process's
 *     name; 0.01 is a hundredth of one
 * @param roundTrips what the network between the processes made of the distances, by link; empty where there was none
 * @param gatlingReports pages, relative to the folder
 */
public record Results(
        String schema,
        String name,
        String command,
        @Nullable Instant started,
        @Nullable Instant finished,
        boolean interrupted,
        Environment environment,
        Map<String, Double> idleCpu,
        List<Cell> cells,
        List<RawLimit> rawLimits,
        Counts counts,
        List<RoundTrip> roundTrips,
        List<String> gatlingReports) {

    public Results {
        environment = environment == null ? Environment.NONE : environment;
        counts = counts == null ? new Counts(0, Map.of(), Map.of(), Map.of(), true) : counts;
    }

    /** Whether every cell and every raw limit counts, and every call was found again. */
    public boolean valid() {
        return cells.stream().allMatch(Cell::valid)
                && rawLimits.stream().allMatch(RawLimit::valid)
                && (interrupted || counts.agree());
    }

    public boolean measuredNothing() {
        return cells.isEmpty() && rawLimits.isEmpty();
    }

    public Optional<Cell> cell(String row, Workload workload) {
        return cells.stream()
                .filter(cell -> cell.row().equals(row) && cell.workload().equals(workload))
                .findFirst();
    }

    public Optional<Duration> took() {
        return started == null || finished == null
                ? Optional.empty()
                : Optional.of(Duration.between(started, finished));
    }
}
