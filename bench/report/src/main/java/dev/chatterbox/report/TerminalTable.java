package dev.chatterbox.report;

import dev.chatterbox.results.Cell;
import dev.chatterbox.results.RawLimit;
import dev.chatterbox.results.Results;
import dev.chatterbox.results.Role;
import dev.chatterbox.results.RoundTrip;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The results as a table for a terminal, at most 100 columns wide. */
public final class TerminalTable {

    /** Names of rows have so many columns at most and are cut where they are longer. */
    private static final int LONGEST_NAME = 19;

    /** Where the network has a column. */
    private static final int LONGEST_NAME_OVER_NETWORK = 14;

    private static final int SHORTEST_NAME = 9;

    private static final String FIELDS = "%14s%7s%6s%6s%7s%6s%s%7s%8s%6s%7s%7s";

    private static final String NETWORK_FIELD = "%5s";

    private static final int BEFORE_CPU = 14;

    private final Results results;
    private final Ink ink;
    private final int nameWidth;
    private final boolean overNetwork;
    private final List<String> lines = new ArrayList<>();

    private TerminalTable(Results results, Ink ink) {
        this.results = results;
        this.ink = ink;
        int longest = Stream.concat(
                        results.cells().stream().map(Cell::row),
                        results.rawLimits().stream().map(RawLimit::row))
                .mapToInt(String::length)
                .max()
                .orElse(0);
        this.overNetwork = !results.roundTrips().isEmpty();
        this.nameWidth =
                Math.max(SHORTEST_NAME, Math.min(longest, overNetwork ? LONGEST_NAME_OVER_NETWORK : LONGEST_NAME));
    }

    /** Cells as they stand in the results, raw limits, and what a reader should know before ranking them. */
    public static List<String> lines(Results results, Ink ink) {
        TerminalTable table = new TerminalTable(results, ink);
        table.cells();
        table.roundTrips();
        table.rawLimits();
        table.remarks();
        return table.lines;
    }

    private void cells() {
        if (results.cells().isEmpty()) {
            return;
        }
        lines.add(" ".repeat(nameWidth + BEFORE_CPU + 2)
                + "── CPU-µs per call: the system, its parts; %s ──"
                        .formatted(overNetwork ? "generator, network" : "the generator"));
        String header = "";
        for (Cell cell : results.cells()) {
            String workload = cell.workload().isOpen() ? "calls @ req/s" : "calls × users";
            String further = Axis.further(cell.workload());
            if (!header.equals(workload + further)) {
                header = workload + further;
                if (!further.isEmpty()) {
                    lines.addAll(TextLines.wrapped("", further + ":"));
                }
                lines.add(ink.bold(line(
                        "row",
                        workload,
                        "system",
                        "aggr",
                        "resp",
                        "broker",
                        "gen",
                        network("net"),
                        "spread",
                        "calls/s",
                        "req/s",
                        "p50",
                        "p99")));
            }
            cell(cell);
        }
    }

    private void cell(Cell cell) {
        Map<String, @Nullable Double> cpu = cell.median().cpu();
        Figure system = Metric.CPU.of(cell);
        String line = line(
                cell.row(),
                Axis.narrow(cell),
                Numbers.digits(system.median()),
                digits(cpu.get(Role.AGGREGATOR)),
                digits(cpu.get(Role.RESPONDER)),
                digits(cpu.get(Role.BROKER)),
                digits(cpu.get(Role.GENERATOR)),
                network(digits(cpu.get(Role.NETWORK))),
                Numbers.tight(Numbers.percent(system.spread())),
                rate(Metric.CALLS.of(cell)),
                rate(Metric.REQUESTS.of(cell)),
                seconds(cell.median().requestLatency().p50()),
                seconds(cell.median().requestLatency().p99()));
        judged(line, cell.valid(), Reasons.of(cell));
    }

    private void roundTrips() {
        if (!overNetwork) {
            return;
        }
        lines.add("");
        String format = "%-30s%12s%12s%12s";
        lines.add(ink.bold(format.formatted("round trips over the network", "asked for", "idle", "under load")));
        for (RoundTrip trip : results.roundTrips()) {
            List<String> numbers = RoundTripTable.numbers(trip);
            lines.add(format.formatted(trip.link(), numbers.get(0), numbers.get(1), numbers.get(2)));
        }
    }

    /** A column that is there only with a network. */
    private String network(String field) {
        return overNetwork ? NETWORK_FIELD.formatted(field) : "";
    }

    private void rawLimits() {
        if (results.rawLimits().isEmpty()) {
            return;
        }
        lines.add("");
        lines.add(ink.bold(line(
                "row",
                "raw: in flight",
                "sum",
                "bare",
                "resp",
                "broker",
                "",
                network(""),
                "spread",
                "calls/s",
                "",
                "system",
                "ratio")));
        for (RawLimit limit : results.rawLimits()) {
            Map<String, @Nullable Double> cpu = limit.median().cpu();
            SystemLimit system = SystemLimit.of(limit, results);
            Figure calls = Metric.CALLS.of(limit);
            String line = line(
                    limit.row(),
                    Integer.toString(limit.inFlight()),
                    Numbers.digits(Metric.CPU.of(limit).median()),
                    digits(cpu.get(Role.CLIENT)),
                    digits(cpu.get(Role.RESPONDER)),
                    digits(cpu.get(Role.BROKER)),
                    "",
                    network(""),
                    Numbers.tight(Numbers.percent(calls.spread())),
                    rate(calls),
                    "",
                    Numbers.tight(Numbers.rate(system.best())),
                    Numbers.ratio(system.ratio()));
            judged(line, limit.valid(), Reasons.of(limit));
        }
    }

    /** A line in red, with the reasons below it, if it does not count. */
    private void judged(String line, boolean valid, List<String> reasons) {
        lines.add(valid ? line : ink.red(line));
        if (!valid) {
            for (String reason : reasons) {
                TextLines.wrapped("  ", "✗ not valid: " + reason).forEach(part -> lines.add(ink.red(part)));
            }
        }
    }

    private void remarks() {
        List<String> remarks = Remarks.of(results);
        if (!remarks.isEmpty()) {
            lines.add("");
            remarks.forEach(remark -> lines.addAll(TextLines.wrapped("  ", "! " + remark)));
        }
    }

    private String line(String name, String... fields) {
        return (("%-" + nameWidth + "s").formatted(TextLines.cut(name, nameWidth))
                        + FIELDS.formatted((Object[]) fields))
                .stripTrailing();
    }

    private static String rate(Figure figure) {
        return Numbers.tight(Numbers.rate(figure.median()));
    }

    private static String seconds(@Nullable Double seconds) {
        return Numbers.tight(Numbers.seconds(Numbers.orNaN(seconds)));
    }

    private static String digits(@Nullable Double value) {
        return Numbers.digits(Numbers.orNaN(value));
    }
}
