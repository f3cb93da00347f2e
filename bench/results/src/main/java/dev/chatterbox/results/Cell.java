package dev.chatterbox.results;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.chatterbox.workloads.Workload;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One row under one workload, with all its rounds. Only valid rounds count for median and spread.
 *
 * @param kind of the row: {@code direct}, {@code broker}, {@code log} or {@code memory}
 * @param arrivalRate of the open model: requests per second that were to be started; absent in the closed one
 * @param valid whether every round is, and there is one
 * @param notRanked why it is shown and not ranked, although it may be valid
 * @param idleShare the part of {@link Figures#cpuSystem} that its processes use also when nothing is called; null if
 *     unknown
 * @param median figure by figure, over the valid rounds, or over all if none is valid
 */
public record Cell(
        String row,
        String kind,
        Workload workload,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Double arrivalRate,
        boolean valid,
        NotRanked notRanked,
        @Nullable Double idleShare,
        List<Round> rounds,
        Figures median,
        Spread spread) {

    public Cell {
        notRanked = notRanked == null ? NotRanked.NOTHING : notRanked;
        median = median == null ? Figures.NONE : median;
        spread = spread == null ? Spread.NONE : spread;
    }

    /**
     * Why a cell is shown and not ranked, in words; empty where it is.
     *
     * @param costs CPU per call, calls and requests per second
     * @param latencies all percentiles; a percentile that is null is never ranked either
     */
    public record NotRanked(List<String> costs, List<String> latencies) {

        public static final NotRanked NOTHING = new NotRanked(List.of(), List.of());
    }

    /** (max − min) ÷ median over the valid rounds; null for fewer than two. */
    public record Spread(
            @Nullable Double requestsPerSecond,
            @Nullable Double cpuSystem,
            @Nullable Double requestLatencyP99,
            @Nullable Double callLatencyP99) {

        public static final Spread NONE = new Spread(null, null, null, null);
    }

    /** The rounds that median and spread are of. */
    public List<Round> counted() {
        List<Round> valid = rounds.stream().filter(Round::valid).toList();
        return valid.isEmpty() ? rounds : valid;
    }
}
