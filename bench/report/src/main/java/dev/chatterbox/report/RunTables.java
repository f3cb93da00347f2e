package dev.chatterbox.report;

import dev.chatterbox.report.tables.Table;
import dev.chatterbox.results.Cell;
import dev.chatterbox.results.Estimate;
import dev.chatterbox.results.Estimator;
import dev.chatterbox.results.Latency;
import dev.chatterbox.results.Numbers;
import dev.chatterbox.results.Ranking;
import dev.chatterbox.results.Ranking.Pair;
import dev.chatterbox.results.Ranking.Place;
import dev.chatterbox.results.Role;
import dev.chatterbox.results.Sums;
import dev.chatterbox.transport.CallMode;
import dev.chatterbox.workloads.Workload;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The tables of a run. */
final class RunTables {

    private final MeasuredRun run;

    RunTables(MeasuredRun run) {
        this.run = run;
    }

    /** The ranking of each workload. */
    List<Table> rankings() {
        return run.rankings().stream()
                .map(this::ranking)
                .filter(table -> !table.isEmpty())
                .toList();
    }

    private Table ranking(Ranking ranking) {
        Table.Description<Place> table = ranks(WorkloadText.of(ranking.workload()))
                .variant(Place::variant)
                .estimate("CPU-µs", Place::cost, Numbers::digits)
                .figure("price", Place::price, Numbers::digits)
                .spare(3);
        byProcess(table)
                .estimate("ratio", Place::toCheapest, Numbers::ratio)
                .spare(4)
                .figure("req/s", Place::throughput, Numbers::rate);
        percentile(table, "p50", Latency::p50).spare(5);
        return percentile(table, "p99", Latency::p99)
                .table(ranking.places(), RunTables::isDoubted, Findings.notes(ranking));
    }

    /** Every two ranked variants of a workload: the second's cost, divided by the first's. */
    Table pairs() {
        return Table.<Pair>of("Pairs of ranked variants")
                .text("workload", pair -> pair.first().workload())
                .text("variant", pair -> pair.second().variant())
                .text("other variant", pair -> pair.first().variant())
                .estimate("ratio", Pair::ratio, Numbers::ratio)
                .text("chance", Pair::chance)
                .text("verdict", pair -> pair.differs() ? "costs more" : "tie")
                .table(run.rankings().stream()
                        .flatMap(ranking -> ranking.pairs().stream())
                        .toList());
    }

    private static Table.Description<Place> places(String title) {
        return Table.<Place>of(title).caveats(place -> place.cell().caveats());
    }

    /** Begins a table of places with the rank, which is empty where there is none. */
    static Table.Description<Place> ranks(String title) {
        return places(title).number("rank", place -> place.rank() == 0 ? Double.NaN : place.rank(), Numbers::whole);
    }

    private static boolean isDoubted(Place place) {
        return !place.cell().caveats().isEmpty();
    }

    private static Table.Description<Place> byProcess(Table.Description<Place> table) {
        cpu(table, "aggr", Role.AGGREGATOR);
        cpu(table, "bare", Role.CLIENT);
        cpu(table, "prod", Role.PRODUCER);
        cpu(table, "resp", Role.RESPONDER);
        cpu(table, "cons", Role.CONSUMER);
        cpu(table, "broker", Role.BROKER);
        cpu(table, "gen", Role.GENERATOR).spare(2);
        cpu(table, "net", Role.NETWORK).spare(1);
        return table.number("JIT", place -> place.cell().compilerMicros(), Numbers::digits)
                .spare(1);
    }

    private static Table.Description<Place> cpu(Table.Description<Place> table, String title, String role) {
        return table.number(title, place -> place.cell().cpuMicros(role), Numbers::digits);
    }

    /** All percentiles of each variant whose requests were timed. */
    Table percentiles() {
        Table.Description<Place> table = places("Percentiles of the latency of requests")
                .variant(Place::variant)
                .text("workload", place -> place.cell().workload());
        percentile(table, "p50", Latency::p50);
        percentile(table, "p90", Latency::p90);
        percentile(table, "p95", Latency::p95);
        percentile(table, "p99", Latency::p99);
        percentile(table, "p99.9", Latency::p999);
        return percentile(table, "max", Latency::max)
                .table(run.rankings().stream()
                        .flatMap(ranking -> ranking.places().stream())
                        .filter(place -> place.cell().requestLatency().p50() != null)
                        .toList());
    }

    /** Adds a column with a percentile of the requests, also where only a lower bound is known. */
    static Table.Description<Place> percentile(
            Table.Description<Place> table, String title, Function<Latency, @Nullable Double> percentile) {
        return table.printed(
                title,
                place -> place.cell().figure(percentile.apply(place.cell().requestLatency())),
                place -> percentile(place.cell().requestLatency(), percentile));
    }

    /** "12.3 ms", or "≥ 5.00 s" if some request was never answered; empty if it is unknown. */
    static String percentile(Latency latency, Function<Latency, @Nullable Double> of) {
        Double seconds = of.apply(latency);
        return seconds == null ? "" : (latency.isLowerBound(seconds) ? "≥ " : "") + Numbers.seconds(seconds);
    }

    /**
     * What the bare clients reach, which is the limit of this machine, and how far the variants are from this limit.
     */
    Table bareClients() {
        List<Cell> bare = run.results().bareClients();
        Table.Description<Place> table = places("Bare clients: the raw limit of this machine")
                .variant(Place::variant)
                .number("in flight", place -> place.cell().inFlight(), Numbers::whole)
                .estimate("calls/s", Place::throughput, Numbers::rate)
                .spare(1)
                .estimate("CPU-µs", Place::cost, Numbers::digits);
        List<String> notes = new ArrayList<>(Findings.slices(bare));
        most().ifPresent(most -> notes.add(
                "variant ÷ bare is what a call costs over the whole system at %s, divided by what it costs the bare client."
                        .formatted(WorkloadText.of(most))));
        return byProcess(table)
                .estimate("variant ÷ bare", place -> toBareClient(place.cell()), Numbers::ratio)
                .table(
                        bare.stream()
                                .flatMap(cell ->
                                        Ranking.of(cell.workload(), List.of(cell), Estimator.COMMITTED)
                                                .places()
                                                .stream())
                                .toList(),
                        RunTables::isDoubted,
                        notes);
    }

    /**
     * The workload of the headline with the most calls per request: there, the HTTP of a request matters least. No queue,
     * because a bare client makes calls.
     */
    private Optional<Workload> most() {
        return run.headline().stream()
                .filter(workload -> !workload.isOpen() && workload.mode() != CallMode.QUEUE)
                .max(Comparator.comparingInt(Workload::calls));
    }

    /**
     * What a call costs over a variant, divided by what it costs the variant's bare client. Empty if the variant has
     * none, and for another workload than that with the most calls.
     */
    Estimate toBare(Place place) {
        return run.results().bareClients().stream()
                .filter(bare -> bare.variant().equals(place.variant())
                        && most().equals(Optional.of(place.cell().workload())))
                .findFirst()
                .map(this::toBareClient)
                .orElse(Estimate.NONE);
    }

    private Estimate toBareClient(Cell bare) {
        return most().flatMap(workload -> run.results().cell(bare.variant(), workload, null))
                .filter(Cell::valid)
                .map(variant -> Estimator.COMMITTED.ratio(Sums.cpu(variant), Sums.cpu(bare)))
                .orElse(Estimate.NONE);
    }

    /** What a call costs, divided by its cost over another variant. */
    Estimate ratio(Cell cell, String other) {
        return run.results()
                .cell(other, cell.workload(), null)
                .filter(Cell::valid)
                .map(known -> Estimator.COMMITTED.ratio(Sums.cpu(cell), Sums.cpu(known)))
                .orElse(Estimate.NONE);
    }

    /** The settings by variant, which show what is not equal. */
    Table settings() {
        Map<String, String> values = run.environment();
        Set<String> variants =
                new TreeSet<>(run.results().environment().variants().propertyNames());
        Table.Description<String> table =
                Table.<String>of("Settings of the variants").text("setting", name -> name);
        variants.forEach(variant ->
                table.text(variant, name -> values.getOrDefault(MeasuredRun.setting(variant, name), "")));
        return table.table(Stream.concat(
                        Stream.of("kind", "responder", "broker"),
                        values.keySet().stream()
                                .filter(name -> name.startsWith(MeasuredRun.VARIANTS))
                                .map(name -> name.replaceFirst("^variants\\.[^.]+\\.", "")))
                .distinct()
                .filter(name ->
                        variants.stream().anyMatch(variant -> values.containsKey(MeasuredRun.setting(variant, name))))
                .toList());
    }

    Table environment() {
        return Table.<Map.Entry<String, String>>of("Environment")
                .text("what", Map.Entry::getKey)
                .text("value", Map.Entry::getValue)
                .table(run.environment().entrySet().stream()
                        .filter(entry -> !entry.getKey().startsWith(MeasuredRun.VARIANTS))
                        .toList());
    }
}
