package dev.chatterbox.results;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.chatterbox.workloads.Workload;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One variant, or its bare client, under one workload, with all its slices.
 *
 * @param side the name of its stack if two stacks are compared; absent otherwise
 * @param bare whether it is the bare client of the variant's library, without Spring and Reactor
 * @param kind the kind of the variant: {@code direct}, {@code broker}, {@code log} or {@code memory}
 * @param requestsPerSlice how many requests the calibration gave a slice; for a bare client, calls
 * @param inFlight calls in flight of a bare client; 0 otherwise
 * @param memory the highest number of resident bytes after a slice, by role
 * @param writtenPerCall bytes that the broker gave to the disk for a call; null if unknown, or if there is no broker
 * @param doubts sentences that say why it is shown and not ranked; empty without doubts
 * @param queue what became of the messages; absent for another call mode than a queue
 */
public record Cell(
        String variant,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String side,
        boolean bare,
        String kind,
        Workload workload,
        long requestsPerSlice,
        int inFlight,
        List<SliceFigures> slices,
        Latency requestLatency,
        Map<String, Long> memory,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Double writtenPerCall,
        List<String> doubts,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable QueueFigures queue) {

    /** The kind of a variant that calls no responder, and the name of the only variant of this kind. */
    public static final String ZERO_LINE = "memory";

    /** A cell is not valid if more than this part of its slices does not count. */
    private static final double MOST_OUT = 0.1;

    /** A variant is warm if its compilers take at most this part of its CPU time, and a cell in its median slice. */
    public static final double COMPILERS_AT_MOST = 0.05;

    public List<SliceFigures> counted() {
        return slices.stream().filter(SliceFigures::counts).toList();
    }

    /** Whether a slice counts, and at most a tenth does not, without slices that only other programs disturbed. */
    public boolean valid() {
        int counted = counted().size();
        long judged = slices.stream().filter(slice -> !slice.isOnlyDisturbed()).count();
        return counted > 0 && judged - counted <= MOST_OUT * judged;
    }

    public boolean isRanked() {
        return caveats().isEmpty() && !isZeroLine();
    }

    /** What a reader must know about each of its figures: why it is not ranked, and that it is not valid. */
    public List<Caveat> caveats() {
        String invalid = "only %d of %d slices count".formatted(counted().size(), slices.size());
        return Stream.concat(whyNotRanked().stream(), Stream.of(invalid).filter(text -> !valid()))
                .map(this::caveat)
                .toList();
    }

    /**
     * Its doubts, and that it was not warm: a rehearsal judges a variant over some workloads, this each cell by itself.
     * The slice in the middle decides: one late compilation takes a third of a slice of a second, and its block is one
     * among many in the interval; where compilers are busy in most slices, what was measured is the warm-up.
     */
    public List<String> whyNotRanked() {
        double share = Quantile.of(0.5, counted().stream().mapToDouble(SliceFigures::compilersShare));
        String cold = "its compilers took %.1f %% of its CPU time in the median slice".formatted(100 * share);
        return Stream.concat(doubts.stream(), Stream.of(cold).filter(text -> share > COMPILERS_AT_MOST))
                .toList();
    }

    /** What is to be said of this cell. */
    public Caveat caveat(String text) {
        return new Caveat(variant + (bare ? " (bare client)" : "") + (side == null ? "" : " (" + side + ")"), text);
    }

    /** A figure of this cell that has no interval; NaN if it was not measured. */
    public Estimate figure(@Nullable Number value) {
        return Estimate.of(value == null ? Double.NaN : value.doubleValue(), caveats());
    }

    /** Whether it is {@value #ZERO_LINE}: a request without any call to a responder. */
    @JsonIgnore
    public boolean isZeroLine() {
        return kind.equals(ZERO_LINE);
    }

    /** CPU-microseconds per right call of the JIT's compiler threads, which are in no cost; NaN if no slice counts. */
    public double compilerMicros() {
        return quotient(counted().stream(), 1e3, SliceFigures::compilerNanos, SliceFigures::calls);
    }

    /** How many processors a role used on average in the slices that were measured alone; NaN if none shows it. */
    public double processors(String role) {
        Stream<SliceFigures> known = counted().stream()
                .filter(slice -> slice.seconds() > 0 && slice.cpuNanos().containsKey(role));
        return quotient(known, 1e9, slice -> slice.cpuNanos(role), SliceFigures::seconds);
    }

    /** CPU-microseconds of a role per right call; NaN if the variant has no such process, or no slice counts. */
    public double cpuMicros(String role) {
        List<SliceFigures> known =
                counted().stream().filter(slice -> !slice.cpuNanos().isEmpty()).toList();
        return known.isEmpty() || !known.get(0).cpuNanos().containsKey(role)
                ? Double.NaN
                : quotient(known.stream(), 1e3, slice -> slice.cpuNanos(role), SliceFigures::calls);
    }

    private static double quotient(
            Stream<SliceFigures> slices,
            double unit,
            ToLongFunction<SliceFigures> nanos,
            ToDoubleFunction<SliceFigures> below) {
        List<SliceFigures> all = slices.toList();
        return all.stream().mapToLong(nanos).sum()
                / unit
                / all.stream().mapToDouble(below).sum();
    }
}
