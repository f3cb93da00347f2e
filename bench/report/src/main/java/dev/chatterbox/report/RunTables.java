package dev.chatterbox.report;

import dev.chatterbox.report.tables.Table;
import dev.chatterbox.results.Cell;
import dev.chatterbox.results.Environment.RowSettings;
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
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.DoubleFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The tables of a run. */
final class RunTables {

    private final MeasuredRun run;

    RunTables(MeasuredRun run) {
        this.run = run;
    }

    /** The ranking of each workload that compares rows, then one table of the rows that have rates of their own. */
    List<Table> rankings() {
        List<Table> tables = new ArrayList<>();
        List<Ranking> alone = new ArrayList<>();
        boolean one = run.results().cells().stream().map(Cell::row).distinct().count() == 1;
        for (Ranking ranking : run.rankings()) {
            boolean own = ranking.places().size() == 1 && ranking.workload().load() instanceof Load.Rate;
            if (own && !one) {
                alone.add(ranking);
            } else {
                tables.add(ranking(ranking));
            }
        }
        if (!alone.isEmpty()) {
            Table.Description<Cell> table = Table.<Cell>of("Each row at a rate of its own, so nothing is ranked")
                    .row(Cell::row)
                    .text("workload", Cell::workload)
                    .caveats(Cell::caveats)
                    .estimate("CPU-µs", this::cost, Numbers::digits);
            tables.add(latencies(table, cell -> cell)
                    .table(
                            alone.stream()
                                    .flatMap(ranking -> ranking.cells().stream())
                                    .toList(),
                            RunTables::isDoubted,
                            List.of()));
        }
        return tables;
    }

    private Table ranking(Ranking ranking) {
        Table.Description<Place> table = Table.<Place>of(Axis.text(ranking.workload()))
                .caveats(place -> place.cell().caveats())
                .number("rank", place -> place.rank() == 0 ? Double.NaN : place.rank(), Numbers::whole)
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

    static boolean isDoubted(Cell cell) {
        return !cell.caveats().isEmpty();
    }

    private static <T> Table.Description<T> byProcess(Table.Description<T> table, Function<T, Cell> cell) {
        return table.number("aggr", one -> cpu(cell.apply(one), Role.AGGREGATOR), Numbers::digits)
                .number("bare", one -> cpu(cell.apply(one), Role.CLIENT), Numbers::digits)
                .number("prod", one -> cpu(cell.apply(one), Role.PRODUCER), Numbers::digits)
                .number("resp", one -> cpu(cell.apply(one), Role.RESPONDER), Numbers::digits)
                .number("cons", one -> cpu(cell.apply(one), Role.CONSUMER), Numbers::digits)
                .number("broker", one -> cpu(cell.apply(one), Role.BROKER), Numbers::digits)
                .number("gen", one -> cpu(cell.apply(one), Role.GENERATOR), Numbers::digits)
                .spare(2)
                .number("net", one -> cpu(cell.apply(one), Role.NETWORK), Numbers::digits)
                .spare(1)
                .number("JIT", one -> cell.apply(one).compilerMicros(), Numbers::digits)
                .spare(1);
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
                one -> cell.apply(one).figure(percentile.apply(cell.apply(one).requestLatency())),
                one -> percentile(cell.apply(one).requestLatency(), percentile));
    }

    /** Adds a column with a figure and its interval in one field. */
    static <T> Table.Description<T> withInterval(
            Table.Description<T> table, String title, Function<T, Estimate> figure, DoubleFunction<String> text) {
        return table.printed(title, figure, one -> Numbers.withInterval(figure.apply(one), text));
    }

    private Estimate cost(Cell cell) {
        return run.estimator().figure(Sums.cpu(cell));
    }

    private static double cpu(Cell cell, String role) {
        return cell.cpuMicros(role).orElse(Double.NaN);
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
                .estimate("row ÷ bare", this::ratio, Numbers::ratio);
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
                .map(this::ratio)
                .orElse(Estimate.NONE);
    }

    private Estimate ratio(Cell bare) {
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
        ratioTo(table, "÷ the transport's own", cell -> transport(cell.row()));
        ratioTo(table, "÷ its stock row", cell -> transport(cell.row()) + "-stock");
        return table.number("of it the responder", cell -> cpu(cell, Role.RESPONDER), Numbers::digits)
                .table(variants, RunTables::isDoubted, List.of("An interval that holds 1 is a tie."));
    }

    private static String transport(String row) {
        return row.replaceFirst("-.*", "");
    }

    /** Adds a column with what a call costs, divided by its cost over another row; empty where that is the same. */
    private void ratioTo(Table.Description<Cell> table, String title, Function<Cell, String> other) {
        Function<Cell, Estimate> ratio = cell -> run.results()
                .cell(other.apply(cell), cell.workload(), null)
                .filter(each -> each.valid() && !each.row().equals(cell.row()))
                .map(each -> run.estimator().ratio(Sums.cpu(cell), Sums.cpu(each)))
                .orElse(Estimate.NONE);
        table.printed(title, ratio, cell -> {
            Estimate known = ratio.apply(cell);
            return known == Estimate.NONE ? "" : Numbers.withInterval(known, Numbers::ratio);
        });
    }

    /** The settings by row, which show what is not equal. */
    Table settings() {
        Map<String, RowSettings> rows =
                new TreeMap<>(run.results().environment().settings().rows());
        Set<String> names = new LinkedHashSet<>(List.of("kind", "responder", "broker"));
        rows.values().forEach(row -> names.addAll(row.settings().keySet()));
        Table.Description<String> table =
                Table.<String>of("Settings of the rows").text("setting", name -> name);
        rows.forEach((row, settings) -> table.text(row, name -> setting(settings, name)));
        return table.table(names.stream()
                .filter(name -> rows.values().stream()
                        .anyMatch(row -> !setting(row, name).isEmpty()))
                .toList());
    }

    /** The value of a setting; empty if the row does not report it. */
    static String setting(RowSettings row, String name) {
        Object value = switch (name) {
            case "kind" -> row.kind();
            case "responder" -> row.responder();
            case "broker" -> row.broker();
            default -> row.settings().get(name);
        };
        return value == null ? "" : value.toString();
    }

    Table environment() {
        return Table.<Map.Entry<String, String>>of("Environment")
                .text("what", Map.Entry::getKey)
                .text("value", Map.Entry::getValue)
                .table(run.environment().entrySet().stream()
                        .filter(entry -> !entry.getKey().startsWith("rows."))
                        .toList());
    }
}
