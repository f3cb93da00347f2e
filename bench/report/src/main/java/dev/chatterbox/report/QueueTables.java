package dev.chatterbox.report;

import static dev.chatterbox.report.Numbers.orNaN;
import static dev.chatterbox.workloads.Dimension.CONSUMERS;
import static dev.chatterbox.workloads.Dimension.PUBLISHERS;

import dev.chatterbox.report.tables.Table;
import dev.chatterbox.results.Cell;
import dev.chatterbox.results.Latency;
import dev.chatterbox.results.QueueFigures;
import dev.chatterbox.workloads.Workload;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The outcome of one-way messages, and how fast they were. */
final class QueueTables {

    private final List<List<Cell>> workloads;

    /** The cells of rankings come first, in their order. */
    QueueTables(MeasuredRun run) {
        workloads = List.copyOf(Stream.concat(run.cells().stream(), run.results().cells().stream())
                .distinct()
                .filter(cell -> cell.queue() != null)
                .collect(Collectors.groupingBy(Cell::workload, LinkedHashMap::new, Collectors.toList()))
                .values());
    }

    /** Two tables for each workload; none without a queue. */
    List<Table> all() {
        return workloads.stream()
                .flatMap(cells -> Stream.of(counts(cells), speeds(cells)))
                .toList();
    }

    private static Table counts(List<Cell> cells) {
        Table.Description<Cell> table = table("What became of the messages", cells);
        count(table, "runs", QueueFigures::runs).spare(1);
        count(table, "published", QueueFigures::published);
        count(table, "acknowledged", QueueFigures::acknowledged);
        count(table, "refused", QueueFigures::refused).spare(2);
        count(table, "unknown", QueueFigures::unknown);
        count(table, "consumed", QueueFigures::consumed);
        count(table, "missing", QueueFigures::missing);
        count(table, "lost", QueueFigures::lost);
        count(table, "doubled", QueueFigures::doubled);
        table.number("out of order", QueueTables::outOfOrder, Numbers::whole).spare(2);
        return table.table(
                cells,
                cell -> !cell.isRanked(),
                List.of("Sums over all runs; what is consumed, missing, lost and doubled also over all groups. "
                        + "Missing messages were published and not refused, and nobody consumed them; "
                        + "lost ones are those among them that the broker had acknowledged. Where a row has no "
                        + "acknowledgements, all messages are unknown. Those out of order came after one with a higher number "
                        + "of the same topic; with several publishers or consumers there is no order."));
    }

    private static Table speeds(List<Cell> cells) {
        Table.Description<Cell> table = table("How fast the messages were", cells)
                .number("made in", cell -> orNaN(queue(cell).makeSeconds()), Numbers::seconds)
                .spare(2)
                .number("published/s", cell -> queue(cell).publishedPerSecond(), Numbers::rate)
                .spare(1)
                .number("consumed/s", cell -> queue(cell).consumedPerSecond(), Numbers::rate);
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
        return Table.<Cell>of(title + ": " + Axis.text(cells.get(0).workload()))
                .row(Cell::row)
                .text("side", cell -> Objects.requireNonNullElse(cell.side(), ""))
                .caveats(Cell::caveats);
    }

    private static Table.Description<Cell> count(
            Table.Description<Cell> table, String title, ToLongFunction<QueueFigures> count) {
        return table.number(title, cell -> count.applyAsLong(queue(cell)), Numbers::whole);
    }

    private static void latency(Table.Description<Cell> table, String title, Function<QueueFigures, Latency> latency) {
        percentile(table, title + " p50", latency.andThen(Latency::p50));
        percentile(table, title + " p95", latency.andThen(Latency::p95)).spare(3);
        percentile(table, title + " p99", latency.andThen(Latency::p99));
        percentile(table, title + " max", latency.andThen(Latency::max)).spare(2);
    }

    private static Table.Description<Cell> percentile(
            Table.Description<Cell> table, String title, Function<QueueFigures, @Nullable Double> seconds) {
        return table.number(title, cell -> orNaN(seconds.apply(queue(cell))), Numbers::seconds);
    }

    /** NaN where no order is promised, because several publish or consume. */
    private static double outOfOrder(Cell cell) {
        Workload workload = cell.workload();
        Long outOfOrder = queue(cell).outOfOrder();
        return outOfOrder == null || workload.get(PUBLISHERS) > 1 || workload.get(CONSUMERS) > 1
                ? Double.NaN
                : outOfOrder;
    }

    private static QueueFigures queue(Cell cell) {
        return Objects.requireNonNull(cell.queue());
    }
}
