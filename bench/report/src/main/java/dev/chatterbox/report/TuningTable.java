package dev.chatterbox.report;

import dev.chatterbox.results.Cell;
import dev.chatterbox.results.Role;
import dev.chatterbox.workloads.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What the variants of a transport cost beside its own row and beside its stock row, which is what its library's
 * documentation shows first. A variant begins with its transport's name: {@code nats-stock} and {@code nats-jnats}
 * belong to {@code nats}.
 */
final class TuningTable {

    private static final String STOCK = "-stock";

    private final MeasuredRun run;

    private TuningTable(MeasuredRun run) {
        this.run = run;
    }

    /** Empty unless a transport was measured in several rows. */
    static Table of(MeasuredRun run) {
        return new TuningTable(run).table();
    }

    private Table table() {
        Table.Builder table = Table.of("CPU of the system per call, by transport")
                .words("row", "workload")
                .numbers(
                        "CPU per call",
                        "spread",
                        "to the transport's own",
                        "to its stock row",
                        "of it the responder",
                        "calls/s");
        for (Workload workload : run.closed()) {
            for (String row : run.rows()) {
                if (run.rows().stream()
                        .noneMatch(
                                other -> !other.equals(row) && transport(other).equals(transport(row)))) {
                    continue;
                }
                run.cell(row, workload).filter(Cell::valid).ifPresent(cell -> table.line(Table.row(row), fields(cell)));
            }
        }
        return table.build();
    }

    private List<Table.TableField> fields(Cell cell) {
        Figure cpu = Metric.CPU.of(cell);
        List<String> fields = new ArrayList<>();
        fields.add(Axis.brief(cell.workload()) + (Metric.CPU.notRanked(cell).isEmpty() ? "" : ", not ranked"));
        fields.add(Metric.CPU.text(cpu));
        fields.add(Numbers.percent(cpu.spread()));
        fields.add(ratio(cell, transport(cell.row())));
        fields.add(ratio(cell, transport(cell.row()) + STOCK));
        fields.add(Metric.CPU.text(responder(cell)));
        fields.add(Metric.CALLS.text(Metric.CALLS.of(cell)));
        return fields.stream().map(Table::field).toList();
    }

    /** What a variant in another language changes. */
    private static Figure responder(Cell cell) {
        return Figure.of(cell.counted().stream()
                .mapToDouble(round -> Numbers.orNaN(round.figures().cpu().get(Role.RESPONDER)))
                .filter(Double::isFinite)
                .toArray());
    }

    /** "0.53", "1.02, too close to rank", or a dash for the row itself and where the other was not measured. */
    private String ratio(Cell cell, String to) {
        Optional<Figure> other = run.cell(to, cell.workload())
                .filter(each -> each.valid() && !each.row().equals(cell.row()))
                .map(Metric.CPU::of)
                .filter(Figure::exists);
        Figure own = Metric.CPU.of(cell);
        if (other.isEmpty() || !own.exists()) {
            return Numbers.NONE;
        }
        String ratio = Numbers.ratio(own.median() / other.get().median());
        return Noise.judged(own, other.get()) && !Noise.tooClose(own, other.get())
                ? ratio
                : ratio + ", too close to rank";
    }

    private static String transport(String row) {
        int end = row.indexOf('-');
        return end < 0 ? row : row.substring(0, end);
    }
}
