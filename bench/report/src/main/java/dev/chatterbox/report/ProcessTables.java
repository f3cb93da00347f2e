package dev.chatterbox.report;

import static dev.chatterbox.report.Numbers.orNaN;

import dev.chatterbox.report.tables.Table;
import dev.chatterbox.results.Cell;
import dev.chatterbox.results.Counts;
import dev.chatterbox.results.Results;
import dev.chatterbox.results.Role;
import dev.chatterbox.results.RoundTrip;
import dev.chatterbox.results.SliceSeries;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.DoubleFunction;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** The tables of a run's processes, and of the links between them. */
final class ProcessTables {

    private final MeasuredRun run;

    ProcessTables(MeasuredRun run) {
        this.run = run;
    }

    Table processes() {
        Results results = run.results();
        Set<String> names = new LinkedHashSet<>(new TreeMap<>(results.processes()).keySet());
        names.addAll(new TreeMap<>(results.idleCpu()).keySet());
        Table.Description<String> table = Table.<String>of("The processes over the run, warm-up included")
                .text("process", name -> name)
                .caveats(name -> List.of())
                .number("user s", name -> of(name, Results.ProcessFigures::userSeconds), Numbers::digits)
                .number("system s", name -> of(name, Results.ProcessFigures::systemSeconds), Numbers::digits)
                .number("JIT s", name -> of(name, Results.ProcessFigures::jitSeconds), Numbers::digits)
                .number("GC s", name -> of(name, Results.ProcessFigures::gcSeconds), Numbers::digits)
                .number("memory", name -> of(name, figures -> orNaN(figures.residentBytes())), Numbers::bytes)
                .number("written", name -> of(name, figures -> orNaN(figures.writtenBytes())), Numbers::bytes)
                .number(
                        "threads' clocks off",
                        name -> of(name, Results.ProcessFigures::sliceDifference),
                        Numbers::percent)
                .number(
                        "idle",
                        name -> orNaN(results.idleCpu().get(name)),
                        used -> Numbers.percent(used) + " of a core");
        if (!results.counts().shares().isEmpty()) {
            table.number("share of the calls", this::share, Numbers::percent);
        }
        return table.table(names);
    }

    /** The part of a responder's calls that one of its processes got. */
    private double share(String process) {
        Counts counts = run.results().counts();
        Map<String, Long> all = counts.responderSquares();
        // The first process has the responder's name, the others have a number after it.
        String responder = all.containsKey(process) ? process : process.replaceFirst("-\\d$", "");
        Long part = counts.shares().get(process);
        return part == null ? Double.NaN : part.doubleValue() / all.getOrDefault(responder, 0L);
    }

    private double of(String process, ToDoubleFunction<Results.ProcessFigures> figure) {
        Results.ProcessFigures figures = run.results().processes().get(process);
        return figures == null ? Double.NaN : figure.applyAsDouble(figures);
    }

    Table roundTrips() {
        return Table.<RoundTrip>of("Round trips that the network puts in")
                .text("to", RoundTrip::link)
                .caveats(trip -> List.of())
                .number("asked for", RoundTrip::distanceMillis, ProcessTables::millis)
                .number("idle", trip -> 1e3 * orNaN(trip.idleSeconds()), ProcessTables::millis)
                .table(run.results().roundTrips());
    }

    /** Milliseconds, as the distance has them. They may be negative if there was nothing to measure. */
    private static String millis(double millis) {
        return Numbers.digits(millis) + " ms";
    }

    /** A role under one workload, over the slices. */
    private record Line(Cell cell, String role) {

        boolean isKnown() {
            return cell.processors(role).isPresent() || cell.residents(role).isPresent();
        }
    }

    /** The processors and the memory of each role over the slices of each cell. */
    Table series() {
        List<Line> lines = run.cells().stream()
                .filter(Cell::valid)
                .flatMap(cell -> Stream.of(Role.AGGREGATOR, Role.PRODUCER, Role.RESPONDER, Role.CONSUMER, Role.BROKER)
                        .map(role -> new Line(cell, role)))
                .filter(Line::isKnown)
                .toList();
        Table.Description<Line> table = Table.<Line>of("Processors and memory over the slices")
                .row(line -> line.cell.row())
                .text("workload", line -> line.cell.workload())
                .text("process", Line::role)
                .caveats(line -> line.cell.caveats());
        series(table, "cores", line -> line.cell.processors(line.role), Numbers::digits);
        series(table, "memory", line -> line.cell.residents(line.role), Numbers::bytes);
        return table.table(lines, line -> false, List.of("p95 is the nearest rank; a slice is a value."));
    }

    private static void series(
            Table.Description<Line> table,
            String title,
            Function<Line, Optional<SliceSeries>> series,
            DoubleFunction<String> text) {
        table.number(title + " median", line -> of(series.apply(line), SliceSeries::median), text)
                .number(title + " p95", line -> of(series.apply(line), SliceSeries::p95), text)
                .number(title + " most", line -> of(series.apply(line), SliceSeries::max), text);
    }

    private static double of(Optional<SliceSeries> series, ToDoubleFunction<SliceSeries> figure) {
        return series.map(figure::applyAsDouble).orElse(Double.NaN);
    }
}
