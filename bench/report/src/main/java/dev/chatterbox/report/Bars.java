package dev.chatterbox.report;

import dev.chatterbox.results.Cell;
import dev.chatterbox.results.Estimate;
import dev.chatterbox.results.Numbers;
import dev.chatterbox.results.Ranking;
import dev.chatterbox.results.Ranking.Place;
import dev.chatterbox.results.Role;
import dev.chatterbox.results.Sums;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleFunction;
import java.util.function.Function;
import java.util.stream.DoubleStream;

/** A chart of one workload: a bar for each variant, which bars.jte draws. */
record Bars(String title, List<Bar> bars) {

    /** The parts of a bar that shows a cost, by the roles that take each other's places. */
    private static final List<List<String>> PARTS = List.of(
            List.of(Role.AGGREGATOR, Role.PRODUCER),
            List.of(Role.CLIENT),
            List.of(Role.RESPONDER, Role.CONSUMER),
            List.of(Role.BROKER));

    /**
     * The bar of a variant.
     *
     * @param rank the text before the variant's name; may be empty
     * @param parts one after the other, which make up the figure
     * @param label the text at its end
     */
    record Bar(String variant, String rank, List<Double> parts, Estimate figure, String label) {}

    /** The cost of a call by process. */
    static Bars cpu(Ranking ranking) {
        return of(ranking, Place::cost, value -> Numbers.digits(value) + " µs", Bars::parts);
    }

    private static List<Double> parts(Cell cell) {
        return PARTS.stream()
                .map(roles -> roles.stream()
                        .mapToDouble(cell::cpuMicros)
                        .filter(Double::isFinite)
                        .sum())
                .toList();
    }

    /** Requests per second. */
    static Bars throughput(Ranking ranking) {
        return of(
                ranking,
                Place::throughput,
                Numbers::rate,
                cell -> List.of(Sums.throughput(cell).value()));
    }

    private static Bars of(
            Ranking ranking,
            Function<Place, Estimate> figure,
            DoubleFunction<String> label,
            Function<Cell, List<Double>> parts) {
        return new Bars(
                WorkloadText.of(ranking.workload()),
                ranking.places().stream()
                        .map(place -> new Bar(
                                place.variant(),
                                place.rank() == 0 ? "" : place.rank() + ".",
                                parts.apply(place.cell()),
                                figure.apply(place),
                                label.apply(figure.apply(place).value())))
                        .toList());
    }

    /** A figure as a part of the largest one, with the ends of the intervals. */
    String percent(double figure) {
        double most = bars.stream()
                .flatMapToDouble(bar -> DoubleStream.of(bar.figure.value(), bar.figure.to()))
                .filter(Double::isFinite)
                .max()
                .orElse(1);
        return Double.isFinite(figure) ? String.format(Locale.ROOT, "%.2f%%", 100 * figure / most) : "0";
    }
}
