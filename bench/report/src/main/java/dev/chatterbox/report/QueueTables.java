package dev.chatterbox.report;

import dev.chatterbox.report.tables.Table;
import dev.chatterbox.results.Cell;
import dev.chatterbox.results.Latency;
import dev.chatterbox.results.Numbers;
import dev.chatterbox.results.QueueFigures;
import dev.chatterbox.workloads.Dimension;
import dev.chatterbox.workloads.Workload;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.function.DoubleFunction;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The outcome of one-way messages, and how fast they were. */
final class QueueTables {

    private QueueTables() {}

    /** Two tables for each workload, those of rankings first; none without a queue. */
    static List<Table> all(MeasuredRun run) {
        return Stream.concat(run.cells().stream(), run.results().cells().stream())
                .distinct()
                .filter(cell -> cell.queue() != null)
                .collect(Collectors.groupingBy(Cell::workload, LinkedHashMap::new, Collectors.toList()))
                .values()
                .stream()
                .flatMap(cells -> Stream.of(counts(cells), speeds(cells)))
                .toList();
    }

    private static Table counts(List<Cell> cells) {
        Table.Description<Cell> table = table("Outcome of the messages", cells);
        figure(table, "slices", QueueFigures::runs, Numbers::whole).spare(1);
        figure(table, "published", QueueFigures::published, Numbers::whole);
        figure(table, "acknowledged", QueueFigures::acknowledged, Numbers::whole);
        figure(table, "refused", QueueFigures::refused, Numbers::whole).spare(2);
        figure(table, "unknown", QueueFigures::unknown, Numbers::whole);
        figure(table, "consumed", QueueFigures::consumed, Numbers::whole);
        figure(table, "missing", QueueFigures::missing, Numbers::whole);
        figure(table, "lost", QueueFigures::lost, Numbers::whole);
        figure(table, "doubled", QueueFigures::doubled, Numbers::whole);
        // With several publishers or consumers, no order is promised.
        Workload workload = cells.get(0).workload();
        if (workload.get(Dimension.PUBLISHERS) == 1 && workload.get(Dimension.CONSUMERS) == 1) {
            figure(table, "out of order", QueueFigures::outOfOrder, Numbers::whole)
                    .spare(2);
        }
        return table.table(
                cells,
                cell -> !cell.isRanked(),
                List.of("Sums over all slices; what is consumed, missing, lost and doubled also over all groups. "
                        + "Missing messages were published and not refused, and were never consumed; "
                        + "lost ones are those among them that the broker had acknowledged. Where a variant has no "
                        + "acknowledgements, all messages are unknown. Those out of order came after one with a higher number "
                        + "of the same topic; with several publishers or consumers there is no order."));
    }

    private static Table speeds(List<Cell> cells) {
        Table.Description<Cell> table = table("How fast the messages were", cells);
        figure(table, "made in", QueueFigures::makeSeconds, Numbers::seconds).spare(2);
        figure(table, "published/s", QueueFigures::publishedPerSecond, Numbers::rate)
                .spare(1);
        figure(table, "consumed/s", QueueFigures::consumedPerSecond, Numbers::rate);
        latency(table, "ack", QueueFigures::acknowledge);
        latency(table, "one-way", QueueFigures::oneWay);
        return table.table(
                cells,
                cell -> !cell.isRanked(),
                List.of("Made in: how long topics, and what their groups need, took to make. "
                        + "Ack: from a message's publishing to its acknowledgement; one-way: from its making to its consumer. Each "
                        + "percentile is the median of the runs' own, max the largest of all runs. A run's own p50 and p99 "
                        + "hold its beginning and its end, which the rates do not."));
    }

    private static Table.Description<Cell> table(String title, List<Cell> cells) {
        return Table.<Cell>of(title + ": " + WorkloadText.of(cells.get(0).workload()))
                .variant(Cell::variant)
                .text("side", cell -> Objects.requireNonNullElse(cell.side(), ""));
    }

    private static void latency(Table.Description<Cell> table, String title, Function<QueueFigures, Latency> latency) {
        figure(table, title + " p50", latency.andThen(Latency::p50), Numbers::seconds);
        figure(table, title + " p95", latency.andThen(Latency::p95), Numbers::seconds)
                .spare(3);
        figure(table, title + " p99", latency.andThen(Latency::p99), Numbers::seconds);
        figure(table, title + " max", latency.andThen(Latency::max), Numbers::seconds)
                .spare(2);
    }

    /** Adds a column with a figure of cells that have a queue; empty where it is not known. */
    static Table.Description<Cell> figure(
            Table.Description<Cell> table,
            String title,
            Function<QueueFigures, ? extends @Nullable Number> figure,
            DoubleFunction<String> text) {
        return table.figure(title, cell -> cell.figure(figure.apply(Objects.requireNonNull(cell.queue()))), text);
    }
}
