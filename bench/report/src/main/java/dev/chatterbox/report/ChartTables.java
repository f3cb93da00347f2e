package dev.chatterbox.report;

import dev.chatterbox.results.Cell;
import dev.chatterbox.results.Figures;
import dev.chatterbox.results.Latency;
import dev.chatterbox.results.RawLimit;
import dev.chatterbox.results.Role;
import dev.chatterbox.results.Round;
import dev.chatterbox.workloads.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The table behind each chart. */
final class ChartTables {

    private final MeasuredRun run;
    private final List<String> roles;

    ChartTables(MeasuredRun run, List<String> roles) {
        this.run = run;
        this.roles = roles;
    }

    private Table table(
            String caption, List<Workload> workloads, List<String> columns, Function<Cell, List<String>> values) {
        Table.Builder table = Table.of(caption).words("row", "load").numbers(columns);
        for (Cell cell : run.cells(workloads)) {
            List<Table.TableField> fields = new ArrayList<>();
            String load = Axis.load(cell.workload());
            fields.add(Table.fields(
                    !cell.valid()
                            ? List.of(load, "not valid")
                            : cell.notRanked().costs().isEmpty() ? List.of(load) : List.of(load, "not ranked")));
            values.apply(cell).forEach(value -> fields.add(Table.field(value)));
            table.line(cell.valid(), Table.row(cell.row()), fields);
        }
        return table.build();
    }

    Table cpu(List<Workload> workloads) {
        List<String> columns = Stream.of(Stream.of("system"), roles.stream(), Stream.of("spread", Role.GENERATOR))
                .flatMap(Function.identity())
                .toList();
        return table("CPU per call by process", workloads, columns, cell -> {
            Figure total = Metric.CPU.of(cell);
            return Stream.of(
                            Stream.of(Numbers.micros(total.median())),
                            roles.stream().map(role -> Numbers.micros(ChartData.cpu(cell, role))),
                            Stream.of(
                                    Numbers.percent(total.spread()),
                                    Numbers.micros(ChartData.cpu(cell, Role.GENERATOR))))
                    .flatMap(Function.identity())
                    .toList();
        });
    }

    Table throughput(List<Workload> workloads) {
        return table(
                "Throughput",
                workloads,
                List.of("calls/s", "requests/s", "spread"),
                cell -> List.of(
                        Numbers.rate(Metric.CALLS.of(cell).median()),
                        Numbers.rate(Metric.REQUESTS.of(cell).median()),
                        Numbers.percent(Metric.CALLS.of(cell).spread())));
    }

    Table latency(Function<Figures, Latency> latencyOf, List<Workload> workloads) {
        boolean open = workloads.stream().allMatch(Workload::isOpen);
        List<String> columns = new ArrayList<>(open ? List.of("arrivals") : List.of());
        Stream.of(Percentile.values()).map(Percentile::title).forEach(columns::add);
        return table("Latency", workloads, columns, cell -> {
            List<String> values = new ArrayList<>(open ? List.of(ChartData.arrivals(cell)) : List.of());
            for (Percentile percentile : Percentile.values()) {
                values.add(Numbers.seconds(percentile.of(latencyOf.apply(cell.median()))));
            }
            return values;
        });
    }

    Table rounds(Metric metric, List<Workload> workloads) {
        int rounds = run.results().cells().stream()
                .mapToInt(cell -> cell.rounds().size())
                .max()
                .orElse(0);
        List<String> columns =
                IntStream.rangeClosed(1, rounds).mapToObj(i -> "round " + i).toList();
        return table(
                metric.title() + " in every round",
                workloads,
                columns,
                cell -> IntStream.range(0, rounds)
                        .mapToObj(i -> i < cell.rounds().size()
                                ? round(metric, cell.rounds().get(i))
                                : Numbers.NONE)
                        .toList());
    }

    private static String round(Metric metric, Round round) {
        return metric.text(metric.of(round.figures())) + (round.valid() ? "" : " (not valid)");
    }

    /** A figure of every row over an axis. */
    Table line(Metric metric, Axis.AxisLine line) {
        List<Workload> workloads =
                Stream.concat(line.levels().stream(), line.workloads().stream()).toList();
        Table.Builder table = Table.of(Sentence.capital(metric.title())).words("row");
        table.numbers(Stream.concat(
                        line.levels().stream().map(line.axis()::level),
                        line.numbers().stream()
                                .map(number ->
                                        Numbers.counted(number, line.axis().unit())))
                .toList());
        for (String row : run.rows()) {
            table.line(
                    Table.row(row),
                    workloads.stream()
                            .map(workload -> run.cell(row, workload)
                                    .map(cell -> cell.valid() ? metric.text(metric.of(cell)) : "not valid")
                                    .orElse(Numbers.NONE))
                            .map(Table::field)
                            .toList());
        }
        return table.build();
    }

    Table raw() {
        Table.Builder table =
                Table.of("Raw limits").words("row", "who").numbers("calls/s", "CPU per call", "spread of calls/s");
        for (RawLimit limit : run.rawLimits()) {
            String bare =
                    limit.valid() ? "bare client" : "bare client, not valid: " + Sentence.words(Reasons.of(limit));
            table.line(limit.valid(), Table.row(limit.row()), raw(bare, Metric.CALLS.of(limit), Metric.CPU.of(limit)));
            run.best(limit.row())
                    .ifPresent(cell -> table.line(
                            Table.row(limit.row()),
                            raw(
                                    "service, " + Axis.brief(cell.workload()),
                                    Metric.CALLS.of(cell),
                                    Metric.CPU.of(cell))));
        }
        return table.build();
    }

    private static List<Table.TableField> raw(String who, Figure calls, Figure cpu) {
        return Stream.of(
                        who,
                        Numbers.rate(calls.median()),
                        Numbers.micros(cpu.median()),
                        Numbers.percent(calls.spread()))
                .map(Table::field)
                .toList();
    }
}
