package dev.chatterbox.report;

import static dev.chatterbox.results.Numbers.orNaN;

import dev.chatterbox.report.tables.Table;
import dev.chatterbox.results.Cell;
import dev.chatterbox.results.Counts;
import dev.chatterbox.results.Numbers;
import dev.chatterbox.results.Results;
import dev.chatterbox.results.Results.ProcessFigures;
import dev.chatterbox.results.Role;
import dev.chatterbox.results.RoundTrip;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

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
        return Table.<String>of("The processes over the run, warm-up included")
                .text("process", name -> name)
                .caveats(name -> List.of())
                .number("user s", name -> of(name, ProcessFigures::userSeconds), Numbers::digits)
                .number("system s", name -> of(name, ProcessFigures::systemSeconds), Numbers::digits)
                .number("JIT s", name -> of(name, ProcessFigures::jitSeconds), Numbers::digits)
                .number("GC s", name -> of(name, ProcessFigures::gcSeconds), Numbers::digits)
                .number("memory", name -> of(name, ProcessFigures::residentBytes), Numbers::bytes)
                .number("written", name -> of(name, ProcessFigures::writtenBytes), Numbers::bytes)
                .number("threads' clocks off", name -> of(name, ProcessFigures::sliceDifference), Numbers::percent)
                .number("idle", name -> orNaN(results.idleCpu().get(name)), cpu -> Numbers.percent(cpu) + " of a core")
                .number("share of the calls", this::share, Numbers::percent)
                .table(names);
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

    private double of(String process, Function<ProcessFigures, @Nullable Number> figure) {
        ProcessFigures figures = run.results().processes().get(process);
        return figures == null ? Double.NaN : orNaN(figure.apply(figures));
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
    private record Line(Cell cell, String role) {}

    /** The processors of each role on average over the slices of each cell, and its most memory after one. */
    Table roles() {
        List<Line> lines = run.cells().stream()
                .filter(Cell::valid)
                .flatMap(cell -> Stream.of(Role.AGGREGATOR, Role.PRODUCER, Role.RESPONDER, Role.CONSUMER, Role.BROKER)
                        .filter(cell.memory()::containsKey)
                        .map(role -> new Line(cell, role)))
                .toList();
        return Table.<Line>of("Processors and memory under each workload")
                .variant(line -> line.cell.variant())
                .text("workload", line -> line.cell.workload())
                .text("process", Line::role)
                .caveats(line -> line.cell.caveats())
                .number("cores", line -> line.cell.processors(line.role), Numbers::digits)
                .number("most memory", line -> orNaN(line.cell.memory().get(line.role)), Numbers::bytes)
                .table(lines);
    }
}
