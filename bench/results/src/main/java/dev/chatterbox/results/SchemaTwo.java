package dev.chatterbox.results;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Turns what a file of the second schema told into the newest. That one summed up the generator's CPU with the
 * system's, so all sums are made anew from the processes' figures, and medians and spreads from the rounds' sums. It
 * judged no cell by its number of calls and knew no idle CPU: nothing is said of either.
 */
final class SchemaTwo {

    static final String SCHEMA = "chatterbox-results/2";

    private SchemaTwo() {}

    static Results upgrade(Results old) {
        return new Results(
                ResultsFile.SCHEMA,
                old.name(),
                old.command(),
                old.started(),
                old.finished(),
                old.interrupted(),
                old.environment(),
                old.idleCpu(),
                old.cells().stream().map(SchemaTwo::cell).toList(),
                old.rawLimits().stream().map(SchemaTwo::rawLimit).toList(),
                old.counts(),
                old.roundTrips(),
                old.gatlingReports());
    }

    private static Cell cell(Cell old) {
        List<Round> rounds = old.rounds().stream()
                .map(round -> new Round(
                        round.round(),
                        round.valid(),
                        round.reasons(),
                        round.warnings(),
                        round.window(),
                        round.figures()
                                .withCpuSystem(Figures.system(round.figures().cpu()))))
                .toList();
        double[] sums =
                sums(old.counted(), round -> Figures.system(round.figures().cpu()));
        Double median = sums.length == 0 ? Figures.system(old.median().cpu()) : Double.valueOf(median(sums));
        Cell.Spread spread = new Cell.Spread(
                old.spread().requestsPerSecond(),
                sums.length < 2 || median == null || median == 0
                        ? null
                        : Double.valueOf((sums[sums.length - 1] - sums[0]) / median),
                old.spread().requestLatencyP99(),
                null);
        return new Cell(
                old.row(),
                old.kind(),
                old.workload(),
                old.arrivalRate(),
                old.valid(),
                old.notRanked(),
                old.idleShare(),
                rounds,
                old.median().withCpuSystem(median),
                spread);
    }

    private static RawLimit rawLimit(RawLimit old) {
        List<RawLimit.Reached> rounds =
                old.rounds().stream().map(SchemaTwo::reached).toList();
        double[] sums = sums(rounds, RawLimit.Reached::cpuSystem);
        RawLimit.Reached median = reached(old.median());
        return new RawLimit(
                old.row(),
                old.valid(),
                old.reasons(),
                old.inFlight(),
                rounds,
                new RawLimit.Reached(
                        median.callsPerSecond(),
                        median.cpu(),
                        sums.length == 0 ? median.cpuSystem() : Double.valueOf(median(sums))),
                old.spread());
    }

    private static RawLimit.Reached reached(RawLimit.Reached old) {
        return new RawLimit.Reached(old.callsPerSecond(), old.cpu(), sumOf(old.cpu()));
    }

    private static @Nullable Double sumOf(Map<String, @Nullable Double> cpu) {
        return cpu.isEmpty() || cpu.values().stream().anyMatch(Objects::isNull)
                ? null
                : Double.valueOf(
                        cpu.values().stream().mapToDouble(Double::doubleValue).sum());
    }

    /** Ascending; without those that are not known. */
    private static <T> double[] sums(List<T> rounds, Function<T, @Nullable Double> of) {
        return rounds.stream()
                .map(of)
                .filter(Objects::nonNull)
                .mapToDouble(Double::doubleValue)
                .sorted()
                .toArray();
    }

    private static double median(double[] sorted) {
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
