package dev.chatterbox.report;

import dev.chatterbox.results.Cell;
import dev.chatterbox.results.Environment.RowSettings;
import dev.chatterbox.workloads.Load;
import dev.chatterbox.workloads.Workload;
import java.util.ArrayList;
import java.util.List;

/** What a distance does to a request: how many round trips it waits for, and why these are not one for each call. */
final class DistanceSentences {

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
        for (String row : run.rows()) {
            Figure shorter = p50(row, near);
            Figure longer = p50(row, far);
            if (shorter.exists() && longer.exists()) {
                double slope =
                        (longer.median() - shorter.median()) * 1e3 / (far.distanceMillis() - near.distanceMillis());
                slopes.add(Sentence.of("{} over {}", Numbers.digits(slope) + " ms", Sentence.row(row)));
                long inTurn = turns(row, far);
                if (inTurn > 1) {
                    turns.add(Sentence.of("{} over {}", Numbers.counted(inTurn, "turn"), Sentence.row(row)));
                }
            }
        }
        if (slopes.isEmpty()) {
            return Sentence.EMPTY;
        }
        Sentence sentence = Sentence.of("With each millisecond of distance the p50 grows by {}", Sentence.list(slopes));
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

    /** How often a request's last call has to wait for others to end; 1 where all may be in flight, or nobody knows. */
    private long turns(String row, Workload workload) {
        long users = workload.load() instanceof Load.Users closed ? closed.count() : 1;
        return Math.max(
                divided(workload.messages(), bound(row, "bounds.per-request")),
                divided(users * workload.messages(), bound(row, "bounds.in-flight")));
    }

    private static long divided(long messages, long inFlight) {
        return (messages + inFlight - 1) / inFlight;
    }

    private long bound(String row, String name) {
        RowSettings settings = run.results().environment().settings().rows().get(row);
        return settings != null && settings.settings().get(name) instanceof Number number
                ? number.longValue()
                : Integer.MAX_VALUE;
    }

    private Figure p50(String row, Workload workload) {
        return run.cell(row, workload)
                .filter(Cell::valid)
                .filter(cell -> Metric.REQUEST_P50.notRanked(cell).isEmpty())
                .map(Metric.REQUEST_P50::of)
                .orElse(Figure.NONE);
    }
}
