package dev.chatterbox.report;

import dev.chatterbox.report.tables.Table;
import dev.chatterbox.results.Cell;
import dev.chatterbox.results.Estimate;
import dev.chatterbox.results.Latency;
import dev.chatterbox.results.Ranking;
import dev.chatterbox.results.Ranking.Place;
import dev.chatterbox.results.Role;
import dev.chatterbox.results.Sums;
import dev.chatterbox.transport.Exchange;
import dev.chatterbox.workloads.Load;
import dev.chatterbox.workloads.Workload;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.DoubleFunction;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The tables of a run. */
final class RunTables {

    private final MeasuredRun run;

    RunTables(MeasuredRun run) {
        this.run = run;
    }

    /** The ranking of each workload that compares rows, then one table of the rows that have rates of their own. */
    List<Table> rankings() {
        boolean several =
                run.results().cells().stream().map(Cell::row).distinct().count() > 1;
        Map<Boolean, List<Ranking>> own = run.rankings().stream()
                .collect(Collectors.partitioningBy(ranking -> several
                        && ranking.places().size() == 1
                        && ranking.workload().load() instanceof Load.Rate));
        Table.Description<Cell> atOwnRate = Table.<Cell>of("Each row at a rate of its own, so nothing is ranked")
                .row(Cell::row)
                .text("workload", Cell::workload)
                .caveats(Cell::caveats)
                .estimate("CPU-µs", this::cost, Numbers::digits);
        List<Cell> cells = own.get(true).stream()
                .flatMap(ranking -> ranking.cells().stream())
                .toList();
        return Stream.concat(
                        own.get(false).stream().map(this::ranking),
                        Stream.of(latencies(atOwnRate, cell -> cell).table(cells, RunTables::isDoubted, List.of())))
                .filter(table -> !table.isEmpty())
                .toList();
    }

    private Table ranking(Ranking ranking) {
        Table.Description<Place> table = rank(Table.<Place>of(Axis.text(ranking.workload())))
                .row(Place::row)
                .estimate("CPU-µs", Place::cost, Numbers::digits)
                .figure("price", Place::price, Numbers::digits)
                .spare(3);
        byProcess(table, Place::cell)
                .estimate("ratio", Place::toCheapest, Numbers::ratio)
                .spare(4)
                .figure("req/s", Place::throughput, Numbers::rate);
        return latencies(table, Place::cell)
                .table(ranking.places(), place -> isDoubted(place.cell()), Findings.notes(ranking));
    }

    /** Begins a table of places with the rank, which is empty where there is none. */
    static Table.Description<Place> rank(Table.Description<Place> table) {
        return table.caveats(place -> place.cell().caveats())
                .number("rank", place -> place.rank() == 0 ? Double.NaN : place.rank(), Numbers::whole);
    }

    static boolean isDoubted(Cell cell) {
        return !cell.caveats().isEmpty();
    }

    private static <T> Table.Description<T> byProcess(Table.Description<T> table, Function<T, Cell> cell) {
        cpu(table, "aggr", cell, Role.AGGREGATOR);
        cpu(table, "bare", cell, Role.CLIENT);
        cpu(table, "prod", cell, Role.PRODUCER);
        cpu(table, "resp", cell, Role.RESPONDER);
        cpu(table, "cons", cell, Role.CONSUMER);
        cpu(table, "broker", cell, Role.BROKER);
        cpu(table, "gen", cell, Role.GENERATOR).spare(2);
        cpu(table, "net", cell, Role.NETWORK).spare(1);
        return table.number("JIT", line -> cell.apply(line).compilerMicros(), Numbers::digits)
                .spare(1);
    }

    private static <T> Table.Description<T> cpu(
            Table.Description<T> table, String title, Function<T, Cell> cell, String role) {
        return table.number(title, line -> cell.apply(line).cpuMicros(role).orElse(Double.NaN), Numbers::digits);
    }

    private static <T> Table.Description<T> latencies(Table.Description<T> table, Function<T, Cell> cell) {
        percentile(table, "p50", cell, Latency::p50).spare(5);
        return percentile(table, "p99", cell, Latency::p99);
    }

    /** Adds a column with a percentile of the requests, also where only a lower bound is known. */
    static <T> Table.Description<T> percentile(
            Table.Description<T> table,
            String title,
            Function<T, Cell> cell,
            Function<Latency, @Nullable Double> percentile) {
        return table.printed(
                title,
                line -> cell.apply(line)
                        .figure(percentile.apply(cell.apply(line).requestLatency())),
                line -> percentile(cell.apply(line).requestLatency(), percentile));
    }

    /** Adds a column with a figure and its interval in one field. */
    static <T> Table.Description<T> withInterval(
            Table.Description<T> table, String title, Function<T, Estimate> figure, DoubleFunction<String> text) {
        return table.printed(title, figure, line -> Numbers.withInterval(figure.apply(line), text));
    }

    /** Adds a column with a ratio and its interval in one field, which is empty where there is no ratio. */
    static <T> Table.Description<T> ratio(
            Table.Description<T> table, String title, Function<T, Optional<Estimate>> ratio) {
        return table.printed(
                title,
                line -> ratio.apply(line).orElse(Estimate.NONE),
                line -> ratio.apply(line)
                        .map(known -> Numbers.withInterval(known, Numbers::ratio))
                        .orElse(""));
    }

    Estimate cost(Cell cell) {
        return run.estimator().figure(Sums.cpu(cell));
    }

    /** "12.3 ms", or "≥ 5.00 s" if some request was never answered; empty if it is unknown. */
    static String percentile(Latency latency, Function<Latency, @Nullable Double> of) {
        Double seconds = of.apply(latency);
        return seconds == null ? "" : (latency.isLowerBound(seconds) ? "≥ " : "") + Numbers.seconds(seconds);
    }

    /** What the bare clients reach, which is the limit of this machine, and how far the rows are from this limit. */
    Table bareClients() {
        List<Cell> bare = run.results().bareClients();
        Table.Description<Cell> table = byProcess(
                        Table.<Cell>of("Bare clients: the raw limit of this machine")
                                .row(Cell::row)
                                .caveats(Cell::caveats)
                                .number("in flight", Cell::inFlight, Numbers::whole)
                                .estimate("calls/s", this::perSecond, Numbers::rate)
                                .spare(1)
                                .estimate("CPU-µs", this::cost, Numbers::digits),
                        cell -> cell)
                .estimate("row ÷ bare", this::toBareClient, Numbers::ratio);
        List<String> notes =
                new ArrayList<>(Findings.slices(bare.stream().map(List::of).toList()));
        most().ifPresent(most -> notes.add(
                "row ÷ bare is what a call costs over the whole system at %s, divided by what it costs the bare client."
                        .formatted(Axis.text(most))));
        return table.table(bare, RunTables::isDoubted, notes);
    }

    private Estimate perSecond(Cell cell) {
        return run.estimator().figure(Sums.throughput(cell));
    }

    /**
     * The workload of the headline with the most calls a request: there, the HTTP of a request matters least. No queue,
     * because a bare client makes calls.
     */
    private Optional<Workload> most() {
        return run.headline().stream()
                .filter(workload -> !workload.isOpen() && workload.exchange() != Exchange.QUEUE)
                .max(Comparator.comparingInt(Workload::calls));
    }

    /**
     * What a call costs over a row, divided by what it costs the row's bare client. Empty if the row has none, and for
     * another workload than that with the most calls.
     */
    Estimate toBare(Cell row) {
        return run.results().bareClients().stream()
                .filter(bare -> bare.row().equals(row.row()) && most().equals(Optional.of(row.workload())))
                .findFirst()
                .map(this::toBareClient)
                .orElse(Estimate.NONE);
    }

    private Estimate toBareClient(Cell bare) {
        return most().flatMap(workload -> run.results().cell(bare.row(), workload, null))
                .filter(Cell::valid)
                .map(row -> run.estimator().ratio(Sums.cpu(row), Sums.cpu(bare)))
                .orElse(Estimate.NONE);
    }

    /**
     * What the rows of a transport cost, compared with its own row and with its stock row, which is what its library's
     * documentation shows first. The name of such a row begins with that of its transport: {@code nats-stock} belongs
     * to {@code nats}. Empty unless a transport was measured in several rows.
     */
    Table tuning() {
        List<Cell> variants = run.cells().stream()
                .filter(cell -> cell.valid()
                        && run.results().rows(cell.workload()).stream()
                                .anyMatch(other -> !other.row().equals(cell.row())
                                        && transport(other.row()).equals(transport(cell.row()))))
                .sorted(Comparator.comparing(Cell::row))
                .toList();
        Table.Description<Cell> table = Table.<Cell>of("The rows of a transport beside each other, by CPU a call")
                .row(Cell::row)
                .text("workload", Cell::workload)
                .caveats(Cell::caveats)
                .figure("CPU-µs", this::cost, Numbers::digits);
        ratio(table, "÷ the transport's own", cell -> ratio(cell, transport(cell.row())));
        ratio(table, "÷ its stock row", cell -> ratio(cell, transport(cell.row()) + "-stock"));
        return cpu(table, "of it the responder", cell -> cell, Role.RESPONDER)
                .table(variants, RunTables::isDoubted, List.of("An interval that holds 1 is a tie."));
    }

    private static String transport(String row) {
        return row.replaceFirst("-.*", "");
    }

    /** What a call costs, divided by its cost over another row; empty where that is the same. */
    Optional<Estimate> ratio(Cell cell, String other) {
        return run.results()
                .cell(other, cell.workload(), null)
                .filter(known -> known.valid() && !other.equals(cell.row()))
                .map(known -> run.estimator().ratio(Sums.cpu(cell), Sums.cpu(known)));
    }

    /** The settings by row, which show what is not equal. */
    Table settings() {
        Map<String, String> values = run.environment();
        Set<String> rows =
                new TreeSet<>(run.results().environment().settings().rows().keySet());
        Table.Description<String> table =
                Table.<String>of("Settings of the rows").text("setting", name -> name);
        rows.forEach(row -> table.text(row, name -> values.getOrDefault(MeasuredRun.setting(row, name), "")));
        return table.table(Stream.concat(
                        Stream.of("kind", "responder", "broker"),
                        values.keySet().stream()
                                .filter(name -> name.startsWith(MeasuredRun.ROWS))
                                .map(name -> name.replaceFirst("^rows\\.[^.]+\\.", "")))
                .distinct()
                .filter(name -> rows.stream().anyMatch(row -> values.containsKey(MeasuredRun.setting(row, name))))
                .toList());
    }

    Table environment() {
        return Table.<Map.Entry<String, String>>of("Environment")
                .text("what", Map.Entry::getKey)
                .text("value", Map.Entry::getValue)
                .table(run.environment().entrySet().stream()
                        .filter(entry -> !entry.getKey().startsWith(MeasuredRun.ROWS))
                        .toList());
    }
}
