package dev.chatterbox.results;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.chatterbox.workloads.Workload;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.BinaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One run of a comparison.
 *
 * @param schema {@link ResultsFile#SCHEMA}
 * @param name the preset
 * @param command how the comparison was called
 * @param interrupted whether it did not come to its end: it goes on, or Ctrl-C, a failure or a kill ended it. The cells
 *     hold what was measured until then
 * @param seed the seed with which the order of slices was drawn
 * @param starts how often the stack was started
 * @param idleCpu processors that each process used when nothing was called, by its name; 0.01 is a hundredth of one
 * @param processes what each process did over the run, by its name
 * @param roundTrips what the network added to the round trips of its links; empty if there was no network
 * @param doubts sentences about the whole run
 */
public record Results(
        String schema,
        String name,
        String command,
        Instant started,
        Instant finished,
        boolean interrupted,
        long seed,
        int starts,
        Environment environment,
        Map<String, Double> idleCpu,
        Map<String, ProcessFigures> processes,
        List<Cell> cells,
        Counts counts,
        List<RoundTrip> roundTrips,
        List<String> doubts) {

    /**
     * What one process did over the run, warm-up included.
     *
     * @param jitSeconds CPU time of its compiler threads; 0 if it has none
     * @param gcSeconds CPU time of its collector's threads; 0 if it has none
     * @param sliceDifference how far the sum of its threads' nanoseconds is from {@code /proc/PID/stat} over the
     *     blocks: 0.01 is 1 %
     * @param residentBytes its memory at the end of the run; null if unknown
     * @param writtenBytes what it gave to the disk; null if unknown
     */
    public record ProcessFigures(
            double userSeconds,
            double systemSeconds,
            double jitSeconds,
            double gcSeconds,
            double sliceDifference,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            Long residentBytes,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            Long writtenBytes) {

        /** The figures of this start and of another one, for the same process. */
        public ProcessFigures and(ProcessFigures other) {
            return new ProcessFigures(
                    userSeconds + other.userSeconds,
                    systemSeconds + other.systemSeconds,
                    jitSeconds + other.jitSeconds,
                    gcSeconds + other.gcSeconds,
                    Math.max(sliceDifference, other.sliceDifference),
                    joined(residentBytes, other.residentBytes, Math::max),
                    joined(writtenBytes, other.writtenBytes, Long::sum));
        }

        private static @Nullable Long joined(@Nullable Long one, @Nullable Long other, BinaryOperator<Long> how) {
            return one == null || other == null ? null : how.apply(one, other);
        }
    }

    /** Whether every cell is valid, and all counts agree; in an interrupted run they need not agree. */
    public boolean valid() {
        return !cells.isEmpty() && cells.stream().allMatch(Cell::valid) && (interrupted || counts.agree());
    }

    /** What a reader must know about each figure of the run, besides what its cell says. */
    public List<Caveat> caveats() {
        return flawsOfTheRun().stream()
                .map(text -> new Caveat("the run " + name, text))
                .toList();
    }

    /**
     * Why the run as a whole must not be published, whatever its figures are; empty if it may be. Doubts about a cell
     * do not forbid it: they are published with the cell.
     */
    public List<String> flaws() {
        List<String> flaws = new ArrayList<>(flawsOfTheRun());
        if (environment.dirty() == null) {
            flaws.add("its commit is unknown");
        }
        cells.stream()
                .filter(cell -> !cell.valid())
                .map(cell -> "%s is not valid under %s".formatted(cell.variant(), cell.workload()))
                .forEach(flaws::add);
        return flaws;
    }

    private List<String> flawsOfTheRun() {
        List<String> flaws = new ArrayList<>();
        if (interrupted) {
            flaws.add("it did not come to its end");
        } else if (!counts.agree()) {
            flaws.add("the counts of generator, aggregator and responders do not agree");
        }
        if (Boolean.TRUE.equals(environment.dirty())) {
            flaws.add("its checkout had changes that are in no commit");
        }
        return flaws;
    }

    public boolean measuredNothing() {
        return cells.stream().allMatch(cell -> cell.slices().isEmpty());
    }

    /** The cell of a variant, and not of its bare client; {@code side} is null if one stack was measured. */
    public Optional<Cell> cell(String variant, Workload workload, @Nullable String side) {
        return variants(workload).stream()
                .filter(cell -> cell.variant().equals(variant) && Objects.equals(cell.side(), side))
                .findFirst();
    }

    /** The cells of one workload, without bare clients. */
    public List<Cell> variants(Workload workload) {
        return cells.stream()
                .filter(cell -> !cell.bare() && cell.workload().equals(workload))
                .toList();
    }

    public List<Cell> bareClients() {
        return cells.stream().filter(Cell::bare).toList();
    }

    /** The workloads of the variants, in the order of tables. */
    public SortedSet<Workload> workloads() {
        return cells.stream()
                .filter(cell -> !cell.bare())
                .map(Cell::workload)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** The workloads that were measured in every block, and not only in every fourth one. */
    public List<Workload> headline() {
        int most = workloads().stream().mapToInt(this::mostSlices).max().orElse(0);
        return workloads().stream()
                .filter(workload -> 2 * mostSlices(workload) > most)
                .toList();
    }

    private int mostSlices(Workload workload) {
        return variants(workload).stream()
                .mapToInt(cell -> cell.slices().size())
                .max()
                .orElse(0);
    }
}
