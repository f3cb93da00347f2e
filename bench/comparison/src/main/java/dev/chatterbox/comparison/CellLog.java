package dev.chatterbox.comparison;

import dev.chatterbox.comparison.counts.CallReading;
import dev.chatterbox.comparison.counts.LatencyBuckets;
import dev.chatterbox.results.Cell;
import dev.chatterbox.results.Estimator;
import dev.chatterbox.results.Latency;
import dev.chatterbox.results.SliceFigures;
import dev.chatterbox.workloads.SliceResult;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** What the slices of one subject showed so far. */
final class CellLog {

    /** So many samples beyond a percentile make it more than the report of a few accidents. */
    private static final int BEYOND = 10;

    /** The part of a slice that a thread of the generator spends on a processor; one above it keeps its users waiting. */
    private static final double GENERATOR_BUSY = 0.8;

    private Subject subject;
    private long requests;
    private final boolean headline;
    private final List<SliceFigures> slices = new ArrayList<>();
    private final Set<String> doubts = new LinkedHashSet<>();
    private final Map<String, Long> memory = new LinkedHashMap<>();
    private final Histogram latency = new Histogram(3);
    private LatencyBuckets callLatency = LatencyBuckets.NONE;
    private long allocatedBytes;
    private long allocatingCalls;
    private long leastUnanswered = Long.MAX_VALUE;
    private int inFlight;

    /**
     * @param requests of a slice
     * @param headline whether it has a slice in every block
     */
    CellLog(Subject subject, long requests, boolean headline) {
        this.subject = subject;
        this.requests = requests;
        this.headline = headline;
    }

    boolean isHeadline() {
        return headline;
    }

    /** Of another start of the stack: the same work, by other processes. */
    void serve(Subject subject) {
        this.subject = subject;
    }

    Subject subject() {
        return subject;
    }

    long requests() {
        return requests;
    }

    /** Has so many requests in each slice from now on. */
    void order(long requests) {
        this.requests = requests;
    }

    /** Adds a slice, without what its requests took. */
    void add(SliceFigures figures, SliceResult result, Map<String, Long> resident) {
        slices.add(figures);
        inFlight = result.inFlight();
        resident.forEach((role, bytes) -> memory.merge(role, bytes, Math::max));
    }

    /** Adds what the requests and calls of a slice took, also of those that failed or were never answered. */
    void addCalls(SliceResult result, CallReading calls) {
        callLatency = callLatency.with(calls.durations());
        if (calls.allocatedBytes() > 0) {
            allocatedBytes += calls.allocatedBytes();
            allocatingCalls += result.right() * subject.workload().calls();
        }
        if (!result.latency().isEmpty()) {
            try {
                latency.add(Histogram.decodeFromCompressedByteBuffer(
                        ByteBuffer.wrap(Base64.getDecoder().decode(result.latency())), 0));
            } catch (DataFormatException e) {
                throw new ComparisonException("The generator's latencies cannot be read: " + e.getMessage());
            }
        }
        if (result.unansweredNanos() > 0) {
            leastUnanswered = Math.min(leastUnanswered, result.unansweredNanos());
        }
    }

    /** Why the cell is not ranked, in sentences. */
    void doubt(List<String> more) {
        doubts.addAll(more);
    }

    /** How many of its slices lack what a thread that ended had used. */
    long slicesWithEndedThreads() {
        return slices.stream().filter(SliceFigures::threadEnded).count();
    }

    /** That a call takes, the median; null if unknown. */
    @Nullable
    Double callSeconds() {
        return callLatency.latency(BEYOND).p50();
    }

    /** The slices of a block do not count after all. */
    void exclude(int start, int block, List<String> reasons) {
        slices.replaceAll(slice -> slice.start() == start && slice.block() == block ? slice.without(reasons) : slice);
    }

    /**
     * A block did not come to its end, and its counts were not held against each other.
     *
     * @param forget whether its slices are not even shown
     */
    void leaveOut(int start, int block, boolean forget) {
        if (forget) {
            slices.removeIf(slice -> slice.start() == start && slice.block() == block);
        } else {
            exclude(start, block, List.of("its block did not come to its end"));
        }
    }

    /** @param more why the cell is not ranked, beside what its own slices say */
    Cell cell(List<String> more) {
        List<String> doubts = new ArrayList<>(this.doubts);
        doubts.addAll(more);
        long busy = slices.stream()
                .filter(slice -> slice.generatorBusy() > GENERATOR_BUSY)
                .count();
        if (!slices.isEmpty() && busy * 2 > slices.size()) {
            doubts.add(
                    "the load generator is the limit: its busiest thread is at work for more than %.0f %% of the time"
                            .formatted(100 * GENERATOR_BUSY));
        }
        long counted = slices.stream().filter(SliceFigures::counts).count();
        if (!subject.bare() && counted > 0 && counted < Estimator.LEAST_BLOCKS) {
            doubts.add(
                    "only %d of its slices count, and an interval needs %d".formatted(counted, Estimator.LEAST_BLOCKS));
        }
        return new Cell(
                subject.row(),
                subject.side().orElse(null),
                subject.bare(),
                subject.rowTarget().row().kind().text(),
                subject.workload(),
                requests,
                inFlight,
                List.copyOf(slices),
                requestLatency(),
                callLatency.latency(BEYOND),
                Map.copyOf(memory),
                allocatingCalls == 0 ? null : Double.valueOf((double) allocatedBytes / allocatingCalls),
                List.copyOf(doubts));
    }

    private Latency requestLatency() {
        if (latency.getTotalCount() == 0) {
            return Latency.NONE;
        }
        return new Latency(
                percentile(50),
                percentile(90),
                percentile(95),
                percentile(99),
                percentile(99.9),
                latency.getMaxValue() / 1e9,
                leastUnanswered == Long.MAX_VALUE ? null : leastUnanswered / 1e9);
    }

    private @Nullable Double percentile(double percent) {
        long count = latency.getTotalCount();
        return count - Math.ceil(percent / 100 * count - 1e-6) < BEYOND
                ? null
                : Double.valueOf(latency.getValueAtPercentile(percent) / 1e9);
    }
}
