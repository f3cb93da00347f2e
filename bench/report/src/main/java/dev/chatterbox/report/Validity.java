package dev.chatterbox.report;

import dev.chatterbox.results.Cell;
import dev.chatterbox.results.Counts;
import dev.chatterbox.results.Round;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Whether the figures may be believed.
 *
 * @param verdict empty where some cells are not valid
 * @param invalid cells that are not valid, with their reasons
 * @param notRanked cells that are shown and not ranked, with the reasons
 * @param idle what each process uses when nothing is called; empty where it was not measured
 * @param roundTrips of the network between the processes; empty where there was none
 * @param warnings cells that are valid with a reservation
 * @param disagreement of the counts; empty where they agree
 */
record Validity(
        String verdict,
        Table invalid,
        Table notRanked,
        Table idle,
        Table roundTrips,
        List<Sentence> remarks,
        Table warnings,
        Sentence disagreement) {

    static Validity of(MeasuredRun run) {
        return new Validity(
                verdict(run),
                table(
                        Table.of("Cells that are not valid").words("row", "load", "reasons"),
                        run.invalidCells(),
                        Reasons::of,
                        false),
                table(
                        Table.of("Cells that are shown and not ranked").words("row", "load", "reasons"),
                        run.results().cells().stream()
                                .filter(cell -> !reasons(cell).isEmpty())
                                .toList(),
                        Validity::reasons,
                        true),
                idle(run),
                RoundTripTable.of(run.results()),
                remarks(run),
                table(
                        Table.of("Warnings").words("row", "load", "still valid, but"),
                        run.results().cells().stream()
                                .filter(cell -> !Reasons.warnings(cell).isEmpty())
                                .toList(),
                        Reasons::warnings,
                        true),
                disagreement(run.results().counts()));
    }

    /** One that concerns both costs and latencies is told once. */
    private static List<String> reasons(Cell cell) {
        List<String> reasons = new ArrayList<>();
        cell.notRanked()
                .costs()
                .forEach(reason -> reasons.add(
                        cell.notRanked().latencies().contains(reason) ? reason : "CPU and throughput: " + reason));
        cell.notRanked().latencies().stream()
                .filter(reason -> !cell.notRanked().costs().contains(reason))
                .forEach(reason -> reasons.add("latencies: " + reason));
        return reasons;
    }

    private static Table idle(MeasuredRun run) {
        Table.Builder table =
                Table.of("CPU when nothing is called").words("process").numbers("of one processor");
        run.results()
                .idleCpu()
                .forEach(
                        (process, use) -> table.line(Table.field(process), List.of(Table.field(Numbers.percent(use)))));
        return table.build();
    }

    private static String verdict(MeasuredRun run) {
        if (!run.invalidCells().isEmpty()) {
            return "";
        }
        return rounds(run) == 0
                ? "No cell was measured."
                : "%s of %s, all cells valid: every request returned all its squares, each once, each right."
                        .formatted(
                                Numbers.counted(rounds(run), "round"),
                                Numbers.counted(run.results().cells().size(), "cell"));
    }

    private static int rounds(MeasuredRun run) {
        return run.results().cells().stream()
                .mapToInt(cell -> cell.rounds().size())
                .sum();
    }

    private static Table table(
            Table.Builder table, List<Cell> cells, Function<Cell, List<String>> words, boolean valid) {
        for (Cell cell : cells) {
            table.line(
                    valid,
                    Table.row(cell.row()),
                    List.of(Table.field(Axis.brief(cell.workload())), Table.fields(words.apply(cell))));
        }
        return table.build();
    }

    private static List<Sentence> remarks(MeasuredRun run) {
        List<Sentence> remarks = new ArrayList<>();
        run.results().cells().stream()
                .filter(cell -> cell.valid() && !cell.rounds().stream().allMatch(Round::valid))
                .forEach(cell -> remarks.add(Sentence.of(
                        "{} at {}: left out {}.",
                        Sentence.row(cell.row()),
                        Axis.brief(cell.workload()),
                        Sentence.words(Reasons.of(cell)))));
        run.rawLimits().stream()
                .filter(limit -> !limit.valid())
                .forEach(limit -> remarks.add(Sentence.of(
                        "The raw limit of {} is not valid: {}.",
                        Sentence.row(limit.row()),
                        Sentence.words(Reasons.of(limit)))));
        long unstable = run.results().cells().stream()
                .flatMap(cell -> cell.rounds().stream())
                .filter(round -> round.window().warmUp() != null
                        && !round.window().warmUp().stable())
                .count();
        if (unstable > 0) {
            remarks.add(Sentence.text("In %d of %d rounds the warm-up ended at its cap before the row was stable."
                    .formatted(unstable, rounds(run))));
        }
        run.results()
                .environment()
                .faults()
                .forEach((responder, faults) -> remarks.add(Sentence.of(
                        "Faults were switched on in the responder {}: {}.", Sentence.row(responder), pairs(faults))));
        Counts counts = run.results().counts();
        if (counts.agree() && !counts.generatorCalls().isEmpty()) {
            remarks.add(Sentence.text(
                    "The counts agree to the last one, warm-up included: load generator, aggregator and responders all saw %s calls."
                            .formatted(Numbers.whole(counts.generatorCalls().values().stream()
                                    .mapToDouble(Long::doubleValue)
                                    .sum()))));
        }
        return remarks;
    }

    private static String pairs(Map<String, ?> values) {
        return String.join(
                ", ",
                values.entrySet().stream()
                        .map(value -> value.getKey() + " " + value.getValue())
                        .toList());
    }

    private static Sentence disagreement(Counts counts) {
        return counts.agree()
                ? Sentence.EMPTY
                : Sentence.of(
                        "The counts do not agree: calls by the load generator {}; by the aggregator {}; by the responders {}.",
                        counted(counts.generatorCalls()),
                        counted(counts.aggregatorCalls()),
                        counted(counts.responderSquares()));
    }

    private static Sentence counted(Map<String, Long> counts) {
        return counts.isEmpty()
                ? Sentence.text("none")
                : Sentence.joined(
                        ", ",
                        counts.entrySet().stream()
                                .map(count -> Sentence.of(
                                        "{} {}", Sentence.row(count.getKey()), Numbers.whole(count.getValue())))
                                .toList());
    }
}
