package dev.chatterbox.report;

import dev.chatterbox.report.prediction.RowPath;
import dev.chatterbox.results.Cell;
import dev.chatterbox.workloads.Workload;
import java.util.ArrayList;
import java.util.List;

/** What a distance does to a request: how many round trips it waits for, and why these are not one for each call. */
final class DistanceSentences {

    /** The part of what its round trips explain that a p50 may grow by beyond it. */
    private static final double BEYOND = 0.2;

    private final MeasuredRun run;
    private final List<Workload> distances;

    /** @param line over the distance */
    DistanceSentences(MeasuredRun run, Axis.AxisLine line) {
        this.run = run;
        distances = line.workloads();
    }

    /** May be empty: where nothing of it is ranked. */
    Sentence all() {
        Workload near = distances.get(0);
        Workload far = distances.get(distances.size() - 1);
        List<Sentence> slopes = new ArrayList<>();
        List<Sentence> turns = new ArrayList<>();
        List<Sentence> unexplained = new ArrayList<>();
        for (String row : run.rows()) {
            Figure shorter = p50(row, near);
            Figure longer = p50(row, far);
            if (shorter.exists() && longer.exists()) {
                double slope =
                        (longer.median() - shorter.median()) * 1e3 / (far.distanceMillis() - near.distanceMillis());
                slopes.add(Sentence.of("{} over {}", Numbers.digits(slope) + " ms", Sentence.row(row)));
                RowPath path = RowPath.of(run.results().environment().settings(), row);
                long inTurn = path.turns(far);
                if (inTurn > 1) {
                    turns.add(Sentence.of("{} over {}", Numbers.counted(inTurn, "turn"), Sentence.row(row)));
                }
                if (path.links() > 0 && slope > (1 + BEYOND) * path.links() * inTurn) {
                    unexplained.add(Sentence.of(
                            "{} over {}", Numbers.counted(path.links() * inTurn, "round trip"), Sentence.row(row)));
                }
            }
        }
        if (slopes.isEmpty()) {
            return Sentence.EMPTY;
        }
        Sentence sentence = Sentence.of("With each millisecond of distance the p50 grows by {}", Sentence.list(slopes));
        if (!unexplained.isEmpty()) {
            return Sentence.of(
                    "{}. That is more than what a request waits for: {}.", sentence, Sentence.list(unexplained));
        }
        if (far.calls() == 1) {
            return sentence.then(": so many round trips has a call.");
        }
        sentence =
                sentence.then(": the calls of a request are under way together, so it does not grow with their number");
        return turns.isEmpty()
                ? sentence.then(".")
                : Sentence.of(
                        "{} until there are more of them than may be in flight. Then they take turns, and each turn waits for the distance: {}.",
                        sentence,
                        Sentence.list(turns));
    }

    private Figure p50(String row, Workload workload) {
        return run.cell(row, workload)
                .filter(Cell::valid)
                .filter(cell -> Metric.REQUEST_P50.notRanked(cell).isEmpty())
                .map(Metric.REQUEST_P50::of)
                .orElse(Figure.NONE);
    }
}
