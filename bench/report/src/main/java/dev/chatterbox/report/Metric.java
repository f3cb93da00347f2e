package dev.chatterbox.report;

import static dev.chatterbox.report.Numbers.orNaN;

import dev.chatterbox.results.Cell;
import dev.chatterbox.results.Figures;
import dev.chatterbox.results.Latency;
import dev.chatterbox.results.RawLimit;
import dev.chatterbox.results.Round;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleFunction;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** What is compared. */
enum Metric {
    /**
     * CPU-microseconds (user and system) per correct call of aggregator, responder and broker; the generator's is in
     * no sum.
     */
    CPU("CPU per call", false, 0.09, figures -> orNaN(figures.cpuSystem()), Numbers::micros),
    CALLS("calls/s", true, 0.09, figures -> orNaN(figures.callsPerSecond()), Metric::perSecond),
    REQUESTS("requests/s", true, 0.09, figures -> orNaN(figures.requestsPerSecond()), Metric::perSecond),
    REQUEST_P50(
            "p50 of requests",
            false,
            0.25,
            figures -> orNaN(figures.requestLatency().p50()),
            Numbers::seconds),
    REQUEST_P99(
            "p99 of requests",
            false,
            0.25,
            figures -> orNaN(figures.requestLatency().p99()),
            Numbers::seconds),
    CALL_P99("p99 of calls", false, 0.25, figures -> orNaN(figures.callLatency().p99()), Numbers::seconds);

    private final String title;
    private final boolean moreIsBetter;
    private final double floorBetweenRuns;
    private final ToDoubleFunction<Figures> value;
    private final DoubleFunction<String> text;

    Metric(
            String title,
            boolean moreIsBetter,
            double floorBetweenRuns,
            ToDoubleFunction<Figures> value,
            DoubleFunction<String> text) {
        this.title = title;
        this.moreIsBetter = moreIsBetter;
        this.floorBetweenRuns = floorBetweenRuns;
        this.value = value;
        this.text = text;
    }

    private static String perSecond(double value) {
        return Numbers.rate(value) + "/s";
    }

    /** NaN if it was not measured. */
    double of(Figures figures) {
        return value.applyAsDouble(figures);
    }

    /** Over the rounds that count; what was written as the median only where no round tells. */
    Figure of(Cell cell) {
        return figure(cell.counted().stream().map(Round::figures), cell.median());
    }

    Figure of(RawLimit limit) {
        return figure(limit.rounds().stream().map(Metric::figures), figures(limit.median()));
    }

    private Figure figure(Stream<Figures> rounds, Figures median) {
        double[] values = rounds.mapToDouble(this::of).filter(Double::isFinite).toArray();
        // Of latencies, what the file tells of all rounds is made from all their samples, and null where these are too
        // few.
        return values.length == 0 || isLatency() ? new Figure(of(median), values) : Figure.of(values);
    }

    private static Figures figures(RawLimit.Reached reached) {
        return new Figures(
                null,
                reached.callsPerSecond(),
                Latency.NONE,
                Latency.NONE,
                reached.cpu(),
                reached.cpuSystem(),
                Map.of(),
                Map.of());
    }

    /** Why this figure of a cell is shown and not ranked, in words; empty where it is ranked. */
    List<String> notRanked(Cell cell) {
        return isLatency() ? cell.notRanked().latencies() : cell.notRanked().costs();
    }

    boolean isLatency() {
        return this == REQUEST_P50 || this == REQUEST_P99 || this == CALL_P99;
    }

    String text(double value) {
        return text.apply(value);
    }

    String text(Figure figure) {
        return text(figure.median());
    }

    String title() {
        return title;
    }

    /** The ratio minus 1 of two runs below which nothing counts, see {@link Noise}. */
    double floorBetweenRuns() {
        return floorBetweenRuns;
    }

    boolean moreIsBetter() {
        return moreIsBetter;
    }

    boolean better(double value, double than) {
        return moreIsBetter ? value > than : value < than;
    }
}
