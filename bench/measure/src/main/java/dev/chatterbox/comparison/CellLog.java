package dev.chatterbox.comparison;

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
    private final boolean headline;

    /** How many requests a slice has; 0 if its time alone bounds it. */
    private long requests;

    private double seconds = 1;
    private final List<SliceFigures> slices = new ArrayList<>();
    private final Set<String> doubts = new LinkedHashSet<>();
    private final List<QueueFigures> queue = new ArrayList<>();
    private final List<QueueFigures> timed = new ArrayList<>();

    /** Nanoseconds of requests. */
    private final Histogram latency = new Histogram(3);

    /** What the broker gave to the disk, and the calls of the slices of which this is known. */
    private long writtenBytes;

    private long writtenCalls;
    private long leastUnanswered = Long.MAX_VALUE;
    private int inFlight;

    /** @param headline whether the cell has a slice in every block */
    CellLog(Subject subject, boolean headline) {
        this.subject = subject;
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

    /** About how many seconds a slice takes by itself. */
    double seconds() {
        return seconds;
    }

    void expect(double seconds) {
        this.seconds = seconds;
    }

    /**
     * What the processes of a subject used in a slice.
     *
     * @param nanos CPU nanoseconds by role, without the JIT's compiler threads
     * @param compilerNanos CPU time of the compiler threads in those processes whose cost is ranked
     * @param threadEnded whether a thread ended that is no compiler thread, and whose last CPU time is missing
     * @param memory the resident bytes after the slice, by role
     */
    record Use(Map<String, Long> nanos, long compilerNanos, boolean threadEnded, Map<String, Long> memory) {}

    /**
     * Adds the figures of a slice, without the durations of its requests and calls.
     *
     * @param alone whether no other slice ran at the same time, so that its time is a figure
     * @param why sentences that say why it does not count, besides those that its result shows
     */
    void add(int start, int block, SliceResult result, boolean alone, Use use, Collection<String> why) {
        Set<String> reasons = new LinkedHashSet<>(reasons(result));
        reasons.addAll(why);
        slices.add(new SliceFigures(
                start,
                block,
                alone ? result.seconds() : 0,
                result.right(),
                result.calls(subject.workload()),
                use.nanos,
                use.compilerNanos,
                result.busiestThread(),
                use.threadEnded,
                use.memory,
                List.copyOf(reasons)));
        inFlight = result.inFlight();
    }

    /**
     * Adds what became of the one-way messages of a slice.
     *
     * @param alone whether no other slice ran at the same time, so that rates and latencies are figures
     */
    void addMessages(QueueFigures messages, boolean alone) {
        queue.add(messages);
        if (alone) {
            timed.add(messages);
        }
    }

    /** Adds the bytes that the broker gave to the disk in a slice. */
    void addWritten(SliceResult result, long bytes) {
        writtenBytes += bytes;
        writtenCalls += result.calls(subject.workload());
    }

    /** Adds how long a slice's requests took, also those that failed or were never answered. */
    void addLatency(SliceResult result) {
        latency.add(result.latency());
        if (result.unansweredNanos() > 0) {
            leastUnanswered = Math.min(leastUnanswered, result.unansweredNanos());
        }
    }

    /** Sentences that say why a slice does not count; empty if it counts. */
    private List<String> reasons(SliceResult result) {
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
        return reasons;
    }

    /** Adds a sentence that says why the cell is not ranked. */
    void doubt(String why) {
        doubts.add(why);
    }

    /** In how many slices a thread ended, so that its last CPU time is missing. */
    long slicesWithEndedThreads() {
        return slices.stream().filter(SliceFigures::threadEnded).count();
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
        QueueFigures messages = queue.isEmpty() ? null : QueueFigures.sum(queue, timed);
        if (messages != null) {
            doubts.addAll(messages.doubts());
        }
        return new Cell(
                subject.variant(),
                subject.side().isEmpty() ? null : subject.side(),
                subject.bare(),
                subject.variantTarget().variant().description().kind().text(),
                subject.workload(),
                requests,
                inFlight,
                slices,
                latency(),
                memory(),
                writtenCalls == 0 ? null : Double.valueOf((double) writtenBytes / writtenCalls),
                List.copyOf(doubts),
                messages);
    }

    private Map<String, Long> memory() {
        Map<String, Long> most = new LinkedHashMap<>();
        slices.forEach(slice -> slice.memory().forEach((role, bytes) -> most.merge(role, bytes, Math::max)));
        return Map.copyOf(most);
    }

    private Latency latency() {
        return latency.getTotalCount() == 0
                ? Latency.NONE
                : new Latency(
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
