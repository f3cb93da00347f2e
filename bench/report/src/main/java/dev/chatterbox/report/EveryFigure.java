package dev.chatterbox.report;

import dev.chatterbox.results.Cell;
import dev.chatterbox.results.Figures.MemoryUse;
import dev.chatterbox.results.Latency;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** One table with the medians of all cells. */
final class EveryFigure {

    private static final MemoryUse UNKNOWN = new MemoryUse(null, null);

    private final List<Cell> cells;
    private final Set<String> cpu = new LinkedHashSet<>();
    private final Set<String> allocated = new LinkedHashSet<>();
    private final Set<String> memory = new LinkedHashSet<>();

    private EveryFigure(MeasuredRun run) {
        this.cells = run.results().cells().stream()
                .sorted(Comparator.comparing(Cell::row).thenComparing(Cell::workload))
                .toList();
        for (Cell cell : cells) {
            cpu.addAll(cell.median().cpu().keySet());
            allocated.addAll(cell.median().allocatedBytesPerCall().keySet());
            memory.addAll(cell.median().memory().keySet());
        }
    }

    static Table of(MeasuredRun run) {
        return new EveryFigure(run).table();
    }

    private Table table() {
        Table.Builder table = Table.of(
                        "Every figure: medians of the valid rounds, and latencies over all their samples")
                .words("row", "workload")
                .numbers("requests/s", "calls/s", "failed")
                .numbers(titles("request "))
                .numbers(titles("call "))
                .numbers(cpu.stream().map(role -> "CPU " + role).toList())
                .numbers("CPU system", "of it idle")
                .numbers(allocated.stream()
                        .map(role -> "allocated per call, " + role)
                        .toList())
                .numbers(memory.stream()
                        .map(role -> "resident, " + role + ", idle → peak")
                        .toList());
        cells.forEach(cell -> table.line(
                cell.valid(),
                Table.row(cell.row()),
                values(cell).stream().map(Table::field).toList()));
        return table.build();
    }

    private static List<String> titles(String of) {
        return Stream.of(Percentile.values())
                .map(percentile -> of + percentile.title())
                .toList();
    }

    private List<String> values(Cell cell) {
        List<String> values = new ArrayList<>();
        values.add(Axis.brief(cell.workload()) + (cell.valid() ? "" : ", not valid"));
        values.add(Numbers.rate(Metric.REQUESTS.of(cell).median()));
        values.add(Numbers.rate(Metric.CALLS.of(cell).median()));
        values.add(Numbers.whole(cell.rounds().stream()
                .mapToLong(round -> round.window().failed())
                .sum()));
        for (Latency latency :
                List.of(cell.median().requestLatency(), cell.median().callLatency())) {
            for (Percentile percentile : Percentile.values()) {
                values.add(Numbers.seconds(percentile.of(latency)));
            }
        }
        cpu.forEach(role -> values.add(Numbers.micros(ChartData.cpu(cell, role))));
        values.add(Numbers.micros(Metric.CPU.of(cell).median()));
        values.add(Numbers.percent(Numbers.orNaN(cell.idleShare())));
        allocated.forEach(role -> values.add(Numbers.bytes(
                Numbers.orNaN(cell.median().allocatedBytesPerCall().get(role)))));
        memory.forEach(role -> {
            MemoryUse use = cell.median().memory().getOrDefault(role, UNKNOWN);
            values.add("%s → %s"
                    .formatted(
                            Numbers.bytes(Numbers.orNaN(use.idleBytes())),
                            Numbers.bytes(Numbers.orNaN(use.peakBytes()))));
        });
        return values;
    }
}
