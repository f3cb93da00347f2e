package dev.chatterbox.report;

import dev.chatterbox.report.Crossovers.Crossing;
import dev.chatterbox.report.Ranking.Entry;
import dev.chatterbox.results.Cell;
import dev.chatterbox.results.RawLimit;
import dev.chatterbox.workloads.Workload;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** What stands below each chart. */
final class ChartSentences {

    private final MeasuredRun run;

    ChartSentences(MeasuredRun run) {
        this.run = run;
    }

    private Ranking ranking(Metric metric, Workload workload) {
        return Ranking.of(run, metric, workload);
    }

    /** One or two sentences for a chart of several loads: the last one in full, the others in short. */
    Sentence chart(Metric metric, List<Workload> workloads) {
        List<Ranking> measured = workloads.stream()
                .map(workload -> ranking(metric, workload))
                .filter(ranking -> !ranking.entries().isEmpty())
                .toList();
        if (measured.isEmpty()) {
            boolean shown = workloads.stream()
                    .anyMatch(workload -> !ranking(metric, workload).unranked().isEmpty());
            return Sentence.text(shown ? "What was measured here is not ranked." : "Nothing valid was measured here.");
        }
        Ranking last = measured.get(measured.size() - 1);
        Sentence order = RankingSentence.of(last, measured.size() == 1 ? "" : where(last.workload()));
        List<Sentence> others =
                AnswerSentences.grouped(measured.subList(0, measured.size() - 1), ChartSentences::where);
        return others.isEmpty()
                ? order
                : Sentence.of("{} {}.", order, Sentence.joined("; ", others).capital());
    }

    private static String where(Workload workload) {
        return (workload.isOpen() ? "at " : "with ") + Axis.load(workload);
    }

    /** Whether the rounds of one chart allow a ranking. */
    Sentence spread(Metric metric, List<Workload> workloads) {
        List<Ranking> several = workloads.stream()
                .map(workload -> ranking(metric, workload))
                .filter(ranking -> ranking.entries().size() > 1)
                .toList();
        if (several.isEmpty()) {
            return Sentence.text("There is nothing to rank here.");
        }
        if (!several.stream().allMatch(Ranking::judged)) {
            return Sentence.text("Fewer than five rounds are too few to test, and nothing here is a ranking.");
        }
        List<Sentence> close = several.stream()
                .map(ChartSentences::closePairs)
                .filter(pairs -> !pairs.isEmpty())
                .toList();
        return close.isEmpty()
                ? Sentence.text("The spread is small beside the differences: every order here stands.")
                : Sentence.of("Too close to rank: {}.", Sentence.joined("; ", close));
    }

    private static Sentence closePairs(Ranking ranking) {
        List<Entry> entries = ranking.entries();
        List<Sentence> pairs = new ArrayList<>();
        for (int i = 0; i + 1 < entries.size(); i++) {
            if (Noise.tooClose(entries.get(i).figure(), entries.get(i + 1).figure())) {
                pairs.add(Sentence.rows(
                        List.of(entries.get(i).row(), entries.get(i + 1).row())));
            }
        }
        return pairs.isEmpty()
                ? Sentence.EMPTY
                : Sentence.of("{} {}", Sentence.joined(", ", pairs), where(ranking.workload()));
    }

    /** How far the rounds of all valid cells scatter. */
    Optional<Sentence> scatter(Metric metric) {
        List<Cell> cells = run.results().cells().stream()
                .filter(cell -> cell.valid()
                        && metric.of(cell).exists()
                        && metric.of(cell).rounds().length > 1)
                .sorted(Comparator.comparingDouble(cell -> metric.of(cell).spread()))
                .toList();
        if (cells.isEmpty()) {
            return Optional.empty();
        }
        Cell middle = cells.get(cells.size() / 2);
        Cell widest = cells.get(cells.size() - 1);
        return Optional.of(Sentence.of(
                "{}: the rounds of a cell lie {} apart (median of all cells), at most {} ({}, {}).",
                Sentence.capital(metric.title()),
                Numbers.percent(metric.of(middle).spread()),
                Numbers.percent(metric.of(widest).spread()),
                Sentence.row(widest.row()),
                Axis.brief(widest.workload())));
    }

    /** Where lines cross. */
    Sentence crossovers(Metric metric, Axis.AxisLine line) {
        if (run.rows().size() < 2) {
            return Sentence.text("One row alone crosses nothing.");
        }
        Crossovers found = Crossovers.of(run, metric, line);
        List<Long> numbers = line.numbers();
        String end =
                Numbers.counted(numbers.get(numbers.size() - 1), line.axis().unit());
        Sentence sentence = found.crossings().isEmpty()
                ? Sentence.of(
                        found.meeting()
                                ? "Lines meet between {} and {}, but none crosses another by more than the noise."
                                : "No lines cross between {} and {}.",
                        Numbers.whole(numbers.get(0)),
                        end)
                : Sentence.of(
                        "{}.",
                        Sentence.joined(
                                "; ",
                                found.crossings().stream()
                                        .sorted(Comparator.comparingDouble(Crossing::near))
                                        .map(crossing ->
                                                crossing(crossing, line.axis().unit()))
                                        .toList()));
        if (!found.close().isEmpty()) {
            sentence = sentence.then(Sentence.of(
                    " At {}, too close to rank: {}.",
                    end,
                    Sentence.list(found.close().stream()
                            .map(pair ->
                                    Sentence.of("{} with {}", Sentence.row(pair.one()), Sentence.row(pair.other())))
                            .toList())));
        }
        return found.judged() ? sentence : sentence.then(" " + RankingSentence.INDICATION);
    }

    private static Sentence crossing(Crossing crossing, String unit) {
        return Sentence.of(
                "{} overtakes {} between {} and {} (near {})",
                Sentence.row(crossing.overtaking()),
                Sentence.row(crossing.overtaken()),
                Numbers.whole(crossing.from()),
                Numbers.counted(crossing.to(), unit),
                oneDigit(crossing.near()));
    }

    /** An interpolation over a decade has no second digit. */
    private static String oneDigit(double value) {
        double power = Math.pow(10, Math.floor(Math.log10(value)));
        return Numbers.whole(Math.max(1, Math.round(value / power) * power));
    }

    /** The most that each row did in the closed model: what the rates of the open one are shares of. */
    List<Sentence> capacities(List<Workload> open) {
        List<Sentence> capacities = new ArrayList<>();
        for (List<Workload> shape : Axis.byShape(open)) {
            for (String row : run.rows()) {
                run.results().cells().stream()
                        .filter(cell -> cell.row().equals(row)
                                && cell.valid()
                                && !cell.workload().isOpen()
                                && cell.workload().differsOnlyInLoadFrom(shape.get(0))
                                && Metric.REQUESTS.of(cell).exists())
                        .max(Comparator.comparingDouble(
                                cell -> Metric.REQUESTS.of(cell).median()))
                        .ifPresent(best -> capacities.add(Sentence.of(
                                "{} at {}: {} with {}, the rounds {} apart.",
                                Sentence.row(row),
                                Axis.shape(best.workload()),
                                Metric.REQUESTS.text(Metric.REQUESTS.of(best)),
                                Axis.load(best.workload()),
                                Numbers.percent(Metric.REQUESTS.of(best).spread()))));
            }
        }
        return capacities;
    }

    /** What the framework costs over the bare client library, by row. */
    List<Sentence> framework() {
        return run.rawLimits().stream()
                .flatMap(limit -> run.best(limit.row()).flatMap(cell -> framework(limit, cell)).stream())
                .toList();
    }

    private static Optional<Sentence> framework(RawLimit limit, Cell cell) {
        Figure bareCalls = Metric.CALLS.of(limit);
        Figure calls = Metric.CALLS.of(cell);
        if (!limit.valid() || !bareCalls.exists() || !calls.exists()) {
            return Optional.empty();
        }
        Figure bareCpu = Metric.CPU.of(limit);
        Figure cpu = Metric.CPU.of(cell);
        String cost = bareCpu.exists() && cpu.exists()
                ? "; a call costs %s times the CPU (%s instead of %s)"
                        .formatted(
                                Numbers.times(cpu.median() / bareCpu.median()),
                                Numbers.micros(cpu.median()),
                                Numbers.micros(bareCpu.median()))
                : "";
        return Optional.of(Sentence.of(
                "Over {} the bare client makes {} calls/s, the service at best {} ({}), {} of it{}.",
                Sentence.row(limit.row()),
                Numbers.rate(bareCalls.median()),
                Numbers.rate(calls.median()),
                Axis.brief(cell.workload()),
                Numbers.percent(calls.median() / bareCalls.median()),
                cost));
    }
}
