package dev.chatterbox.report;

import dev.chatterbox.results.Cell;
import dev.chatterbox.workloads.Workload;
import java.util.ArrayList;
import java.util.List;

/**
 * Rows by the shape of workloads, all under the load of the first sentence.
 *
 * @param load "100 users"
 */
record AnswerTable(String load, List<String> shapes, List<AnswerLine> lines) {

    /** @param cells by shape */
    record AnswerLine(String row, List<AnswerCell> cells) {}

    /**
     * @param state whether it was measured and counts
     * @param ranked whether CPU and throughput are
     * @param cpuLeads whether no other is better
     */
    record AnswerCell(CellState state, boolean ranked, String cpu, boolean cpuLeads, String calls, boolean callsLead) {}

    enum CellState {
        VALID,
        INVALID,
        MISSING
    }

    static AnswerTable of(MeasuredRun run, Workload headline) {
        List<Workload> workloads = run.workloads(headline.isOpen()).stream()
                .filter(workload -> workload.load().equals(headline.load()))
                .toList();
        List<AnswerLine> lines = new ArrayList<>();
        for (String row : run.rows()) {
            List<AnswerCell> cells = workloads.stream()
                    .map(workload ->
                            run.cell(row, workload).map(cell -> of(run, cell)).orElse(without(CellState.MISSING)))
                    .toList();
            if (cells.stream().anyMatch(cell -> cell.state() != CellState.MISSING)) {
                lines.add(new AnswerLine(row, cells));
            }
        }
        return new AnswerTable(
                Axis.load(headline), workloads.stream().map(Axis::shape).toList(), lines);
    }

    private static AnswerCell of(MeasuredRun run, Cell cell) {
        if (!cell.valid()) {
            return without(CellState.INVALID);
        }
        return new AnswerCell(
                CellState.VALID,
                Metric.CPU.notRanked(cell).isEmpty(),
                Metric.CPU.text(Metric.CPU.of(cell)),
                leads(run, Metric.CPU, cell),
                Numbers.rate(Metric.CALLS.of(cell).median()),
                leads(run, Metric.CALLS, cell));
    }

    private static AnswerCell without(CellState state) {
        return new AnswerCell(state, false, Numbers.NONE, false, Numbers.NONE, false);
    }

    private static boolean leads(MeasuredRun run, Metric metric, Cell cell) {
        Ranking ranking = Ranking.of(run, metric, cell.workload());
        return ranking.entries().size() > 1 && ranking.leading().contains(cell.row());
    }
}
