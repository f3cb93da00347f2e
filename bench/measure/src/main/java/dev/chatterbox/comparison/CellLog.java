package dev.chatterbox.comparison;

import dev.chatterbox.comparison.counts.CallReading;
import dev.chatterbox.comparison.counts.LatencyBuckets;
import dev.chatterbox.processes.clocks.CpuSnapshot;
import dev.chatterbox.results.Cell;
import dev.chatterbox.results.Estimator;
import dev.chatterbox.results.Latency;
import dev.chatterbox.results.QueueFigures;
import dev.chatterbox.results.SliceFigures;
import dev.chatterbox.workloads.SliceResult;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** What the slices of one subject showed so far. */
final class CellLog {

    /** A percentile needs at least so many samples beyond it; otherwise it would only show a few accidents. */
    private static final int BEYOND = 10;

    /** A thread of the generator that uses a processor for more than this part of a slice keeps its users waiting. */
    private static final double GENERATOR_BUSY = 0.8;

    private Subject subject;
    private long requests;
    private final boolean headline;
    private final List<SliceFigures> slices = new ArrayList<>();
    private final Set<String> doubts = new LinkedHashSet<>();
    private final Histogram latency = new Histogram(3);
    private final List<QueueFigures> queue = new ArrayList<>();
    private LatencyBuckets callLatency = LatencyBuckets.NONE;
    private long allocatedBytes;
    private long allocatingCalls;
    private long writtenBytes;
    private long writingCalls;
    private long leastUnanswered = Long.MAX_VALUE;
    private int inFlight;

    /**
     * @param requests how many requests a slice has
     * @param headline whether the cell has a slice in every block
     */
    CellLog(Subject subject, long requests, boolean headline) {
        this.subject = subject;
        this.requests = requests;
        this.headline = headline;
    }

    boolean isHeadline() {
        return headline;
    }

    /** Takes the subject of another start of the stack: the same work, done by other processes. */
    void serve(Subject subject) {
        this.subject = subject;
    }

    Subject subject() {
        return subject;
    }

    long requests() {
        return requests;
    }

    /** Gives each later slice so many requests. */
    void order(long requests) {
        this.requests = requests;
    }

    /** Adds the figures of a slice, without the durations of its requests and calls. */
    void add(SliceFigures figures, SliceResult result) {
        slices.add(figures);
        inFlight = result.inFlight();
    }

    /** Adds what became of the one-way messages of a slice. */
    void addMessages(QueueFigures messages) {
        queue.add(messages);
    }

    /** Adds the bytes that the row's broker wrote during a slice. */
    void addWritten(SliceResult result, long bytes) {
        writtenBytes += bytes;
        writingCalls += result.calls(subject.workload());
    }

    /** Adds how long a slice's requests and calls took, also those that failed or were never answered. */
    void addCalls(SliceResult result, CallReading calls) {
        callLatency = callLatency.with(calls.durations());
        if (calls.allocatedBytes() > 0) {
            allocatedBytes += calls.allocatedBytes();
            allocatingCalls += result.calls(subject.workload());
        }
        latency.add(result.latency());
        if (result.unansweredNanos() > 0) {
            leastUnanswered = Math.min(leastUnanswered, result.unansweredNanos());
        }
    }

    /** Sentences that say why a slice does not count; empty if it counts. */
    static List<String> reasons(long requests, SliceResult result, Map<Long, String> roles, CpuSnapshot after) {
        List<String> reasons = new ArrayList<>();
        if (result.failed() > 0) {
            reasons.add("%d of the requests failed (%s)"
                    .formatted(
                            result.failed(),
                            result.failures().entrySet().stream()
                                    .map(kind -> kind.getKey() + ": " + kind.getValue())
                                    .sorted()
                                    .collect(Collectors.joining(", "))));
        }
        if (result.right() + result.failed() < requests) {
            reasons.add("only %d of %d requests were made in %.0f s"
                    .formatted(result.right() + result.failed(), requests, result.seconds()));
        }
        if (result.right() == 0) {
            reasons.add("no request was answered right");
        }
        roles.forEach((pid, role) -> {
            if (!after.processes().containsKey(pid)) {
                reasons.add("the %s is gone".formatted(role));
            }
        });
        return reasons;
    }

    /** Adds sentences that say why the cell is not ranked. */
    void doubt(List<String> more) {
        doubts.addAll(more);
    }

    /** In how many slices a thread ended, so that its last CPU time is missing. */
    long slicesWithEndedThreads() {
        return slices.stream().filter(SliceFigures::threadEnded).count();
    }

    /** The median duration of a call; null if it is unknown. */
    @Nullable
    Double callSeconds() {
        return callLatency.latency(BEYOND).p50();
    }

    /** Marks the slices of a block as not counting, for these reasons. */
    void exclude(int start, int block, List<String> reasons) {
        slices.replaceAll(slice -> slice.start() == start && slice.block() == block ? slice.without(reasons) : slice);
    }

    /**
     * Leaves out the slices of a block that was not finished, and whose counts were not compared.
     *
     * @param forget true removes the slices; false still shows them, with the reason
     */
    void leaveOut(int start, int block, boolean forget) {
        if (forget) {
            slices.removeIf(slice -> slice.start() == start && slice.block() == block);
        } else {
            exclude(start, block, List.of("its block did not come to its end"));
        }
    }

    /** The cell with every slice as it was measured. */
    Cell cell(Collection<String> more) {
        return cell(more, UnaryOperator.identity());
    }

    /**
     * @param more reasons why the cell is not ranked, besides those that its own slices show
     * @param judged a slice as it counts in the end: what disturbs a block is judged by all blocks
     */
    Cell cell(Collection<String> more, UnaryOperator<SliceFigures> judged) {
        List<SliceFigures> slices = this.slices.stream().map(judged).toList();
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
        QueueFigures messages = queue.isEmpty() ? null : QueueFigures.sum(queue);
        if (messages != null) {
            doubts.addAll(messages.doubts());
        }
        return new Cell(
                subject.row(),
                subject.side().orElse(null),
                subject.bare(),
                subject.rowTarget().row().kind().text(),
                subject.workload(),
                requests,
                inFlight,
                slices,
                requestLatency(),
                callLatency.latency(BEYOND),
                memory(),
                allocatingCalls == 0 ? null : Double.valueOf((double) allocatedBytes / allocatingCalls),
                writingCalls == 0 ? null : Double.valueOf((double) writtenBytes / writingCalls),
                List.copyOf(doubts),
                messages);
    }

    private Map<String, Long> memory() {
        Map<String, Long> most = new LinkedHashMap<>();
        slices.forEach(slice -> slice.memory().forEach((role, bytes) -> most.merge(role, bytes, Math::max)));
        return Map.copyOf(most);
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
