package dev.chatterbox.report;

import static dev.chatterbox.report.Numbers.orNaN;

import dev.chatterbox.results.Cell;
import dev.chatterbox.results.Figures;
import dev.chatterbox.results.Latency;
import dev.chatterbox.results.RawLimit;
import dev.chatterbox.results.Round;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.function.DoubleFunction;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What is compared. */
enum Metric {
    /** CPU-microseconds (user and system) per correct call, of all processes, the load generator's too. */
    CPU("CPU per call", false, 0.10, Metric::cpu, Numbers::micros),
    CALLS("calls/s", true, 0.10, figures -> orNaN(figures.callsPerSecond()), Metric::perSecond),
    REQUESTS("requests/s", true, 0.10, figures -> orNaN(figures.requestsPerSecond()), Metric::perSecond),
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

    /**
     * The sum is made anew from its parts; one that could not be measured leaves none, for a smaller sum would be
     * wrong.
     */
    private static double cpu(Figures figures) {
        Collection<@Nullable Double> parts = figures.cpu().values();
        if (parts.isEmpty()) {
            return orNaN(figures.cpuTotal());
        }
        return parts.stream().allMatch(Objects::nonNull)
                ? parts.stream().mapToDouble(Numbers::orNaN).sum()
                : Double.NaN;
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
        return values.length == 0 ? new Figure(of(median), values) : Figure.of(values);
    }

    private static Figures figures(RawLimit.Reached reached) {
        return new Figures(
                null,
                reached.callsPerSecond(),
                Latency.NONE,
                Latency.NONE,
                reached.cpu(),
                reached.cpuTotal(),
                Map.of(),
                Map.of());
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
