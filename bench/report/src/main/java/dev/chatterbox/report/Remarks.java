package dev.chatterbox.report;

import dev.chatterbox.results.Cell;
import dev.chatterbox.results.Counts;
import dev.chatterbox.results.RawLimit;
import dev.chatterbox.results.Results;
import dev.chatterbox.results.Round;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What a reader should know before ranking cells; the same remark about several cells is made once. */
final class Remarks {

    /** Two cells whose figures spread wider than this should not be ranked by a smaller difference. */
    private static final double WIDE = 0.15;

    /** What a cell's processes use anyway, as a part of what they use for its calls. */
    static final double IDLE = 0.05;

    private Remarks() {}

    static List<String> of(Results results) {
        Map<String, Set<String>> cells = new LinkedHashMap<>();
        for (Cell cell : results.cells()) {
            String name = cell.row() + " " + Axis.withFurther(Axis.narrow(cell), cell.workload());
            for (Round round : cell.rounds()) {
                for (String warning : round.warnings()) {
                    cells.computeIfAbsent(withoutFigures(warning), remark -> new LinkedHashSet<>())
                            .add(name);
                }
            }
            for (String reason : cell.notRanked().costs()) {
                cells.computeIfAbsent("CPU and throughput are not ranked, " + reason, remark -> new LinkedHashSet<>())
                        .add(name);
            }
            for (String reason : cell.notRanked().latencies()) {
                cells.computeIfAbsent("latencies are not ranked, " + reason, remark -> new LinkedHashSet<>())
                        .add(name);
            }
            if (cell.idleShare() != null && cell.idleShare() > IDLE) {
                cells.computeIfAbsent(
                                "more than %s of the system's CPU is used also when nothing is called"
                                        .formatted(Numbers.percent(IDLE)),
                                remark -> new LinkedHashSet<>())
                        .add(name);
            }
            if (Metric.CPU.of(cell).spread() > WIDE) {
                cells.computeIfAbsent(
                                "the rounds differ by more than %s, so small differences mean nothing"
                                        .formatted(Numbers.percent(WIDE)),
                                remark -> new LinkedHashSet<>())
                        .add(name);
            }
        }
        List<String> remarks = new ArrayList<>();
        cells.forEach((remark, names) -> remarks.add(remark + ": "
                + (names.size() > 2 && names.size() == results.cells().size()
                        ? "every cell"
                        : String.join(", ", names))));
        for (RawLimit limit : results.rawLimits()) {
            if (SystemLimit.of(limit, results).ratio() < 1) {
                remarks.add("the bare client reached less than the system, so it shows no limit here: " + limit.row());
            }
        }
        Counts counts = results.counts();
        if (!counts.agree()) {
            remarks.add(
                    "the counts of the whole run do not agree: by the generator %s calls, by the aggregator %s, by the responders %s"
                            .formatted(counts.generatorCalls(), counts.aggregatorCalls(), counts.responderSquares()));
        }
        return remarks;
    }

    /** These differ from round to round. */
    private static String withoutFigures(String warning) {
        return warning.replaceAll(" \\([^)]*\\)", "").replaceAll("took [0-9]+%", "took more than 10%");
    }
}
