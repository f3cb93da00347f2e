package dev.chatterbox.comparison;

import dev.chatterbox.cli.Terminal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The results as tables: for the terminal, at most 100 columns wide, and in Markdown. */
final class Tables {

    static final int WIDTH = 100;

    /** Two rows whose figures spread wider than this should not be ranked by a smaller difference. */
    private static final double WIDE = 0.15;

    private static final List<String> ROLES =
            List.of(Stage.GENERATOR, Stage.AGGREGATOR, Stage.RESPONDER, Stage.BROKER, CellResult.TOTAL);

    private static final String ROW = "%-9s %13s%9s%9s%8s%8s%7s%7s%7s%7s%7s%7s";
    private static final String ABOVE_CPU = " ".repeat(57) + "   ── CPU-µs per call, by process ──";

    /** The same workload over all transports, one below the other. */
    static final Comparator<CellResult> ORDER = Comparator.comparing(CellResult::model)
            .thenComparing(CellResult::calls)
            .thenComparing(cell -> cell.users() == null ? 0 : cell.users())
            .thenComparing(cell -> cell.load() == null ? 0.0 : cell.load())
            .thenComparing(CellResult::transport);

    private Tables() {}

    static List<String> terminal(Results results, Terminal terminal) {
        List<String> lines = new ArrayList<>();
        if (!results.cells().isEmpty()) {
            lines.add(ABOVE_CPU);
            lines.add(terminal.bold(ROW.formatted(
                    "transport",
                    "calls × users",
                    "req/s",
                    "calls/s",
                    "p50",
                    "p99",
                    "gen",
                    "aggr",
                    "resp",
                    "broker",
                    "total",
                    "spread")));
        }
        for (CellResult cell : results.cells()) {
            String row = row(cell);
            lines.add(cell.valid() ? row : terminal.red(row));
            for (String reason : cell.reasons()) {
                wrapped("  ✗ not valid: " + reason).forEach(line -> lines.add(terminal.red(line)));
            }
        }
        if (!results.rawLimits().isEmpty()) {
            lines.add("");
            lines.add(terminal.bold(ROW.formatted(
                    "transport",
                    "raw limit",
                    "",
                    "calls/s",
                    "system",
                    "ratio",
                    "client",
                    "",
                    "resp",
                    "broker",
                    "total",
                    "spread")));
        }
        for (RawLimit limit : results.rawLimits()) {
            String row = row(limit, results);
            lines.add(limit.valid() ? row : terminal.red(row));
            for (String reason : limit.reasons()) {
                wrapped("  ✗ not valid: " + reason).forEach(line -> lines.add(terminal.red(line)));
            }
        }
        List<String> remarks = remarks(results);
        if (!remarks.isEmpty()) {
            lines.add("");
            remarks.forEach(remark -> lines.addAll(wrapped("  ! " + remark)));
        }
        return lines;
    }

    private static String row(CellResult cell) {
        CellResult.Median median = cell.median();
        return ROW.formatted(
                cut(cell.transport(), 9),
                shape(cell),
                Format.large(median.requestsPerSecond()),
                Format.large(median.callsPerSecond()),
                Format.duration(median.requestLatency().p50()),
                Format.duration(median.requestLatency().p99()),
                Format.short3(median.cpu().get(Stage.GENERATOR)),
                Format.short3(median.cpu().get(Stage.AGGREGATOR)),
                Format.short3(median.cpu().get(Stage.RESPONDER)),
                Format.short3(median.cpu().get(Stage.BROKER)),
                Format.short3(median.cpu().get(CellResult.TOTAL)),
                Format.percent(cell.spread().cpuTotal()));
    }

    private static String row(RawLimit limit, Results results) {
        Map<String, @Nullable Double> cpu = limit.median().cpu();
        Double best = best(limit.transport(), results).orElse(null);
        return ROW.formatted(
                cut(limit.transport(), 9),
                limit.inFlight() + " in flight",
                "",
                Format.large(limit.median().callsPerSecond()),
                Format.large(best),
                Format.short3(ratio(limit.median().callsPerSecond(), best)),
                Format.short3(cpu.get("client")),
                "",
                Format.short3(cpu.get(Stage.RESPONDER)),
                Format.short3(cpu.get(Stage.BROKER)),
                Format.short3(cpu.get(CellResult.TOTAL)),
                Format.percent(limit.spread().callsPerSecond()));
    }

    /** The most calls per second that the whole system reached over a transport. */
    private static Optional<Double> best(String transport, Results results) {
        return results.cells().stream()
                .filter(cell -> cell.transport().equals(transport) && cell.valid())
                .flatMap(cell -> Optional.ofNullable(cell.median().callsPerSecond()).stream())
                .max(Comparator.naturalOrder());
    }

    private static @Nullable Double ratio(@Nullable Double raw, @Nullable Double best) {
        return raw == null || best == null || best == 0 ? null : Double.valueOf(raw / best);
    }

    /** What a reader should know before ranking rows; the same remark about several cells is made once. */
    static List<String> remarks(Results results) {
        Map<String, Set<String>> cells = new LinkedHashMap<>();
        for (CellResult cell : results.cells()) {
            String name = cell.transport() + " " + shape(cell);
            for (Round round : cell.rounds()) {
                for (String warning : round.warnings()) {
                    cells.computeIfAbsent(withoutFigures(warning), key -> new LinkedHashSet<>())
                            .add(name);
                }
            }
            Double spread = cell.spread().cpuTotal();
            if (spread != null && spread > WIDE) {
                cells.computeIfAbsent(
                                "the rounds differ by more than %s, so small differences mean nothing"
                                        .formatted(Format.percent(WIDE)),
                                key -> new LinkedHashSet<>())
                        .add(name);
            }
        }
        List<String> remarks = new ArrayList<>();
        cells.forEach((remark, names) -> remarks.add(remark + ": "
                + (names.size() > 2 && names.size() == results.cells().size()
                        ? "every row"
                        : String.join(", ", names))));
        for (RawLimit limit : results.rawLimits()) {
            Double ratio = ratio(
                    limit.median().callsPerSecond(),
                    best(limit.transport(), results).orElse(null));
            if (ratio != null && ratio < 1) {
                remarks.add("the bare client reached less than the system, so it shows no limit here: "
                        + limit.transport());
            }
        }
        Counts counts = results.counts();
        if (!counts.agree()) {
            remarks.add(
                    "the counts of the whole run do not agree: by the generator %s calls, by the aggregator %s, by the responders %s"
                            .formatted(counts.generatorCalls(), counts.aggregatorCalls(), counts.responderSquares()));
        }
        return remarks;
    }

    /** Which differ from round to round. */
    private static String withoutFigures(String warning) {
        return warning.replaceAll(" \\([^)]*\\)", "").replaceAll("took [0-9]+%", "took more than 10%");
    }

    private static String shape(CellResult cell) {
        return cell.rate() != null
                ? cell.calls() + " @ " + Format.large(cell.rate()) + "/s"
                : cell.calls() + " × " + cell.users();
    }

    private static String cut(String text, int width) {
        return text.length() < width ? text : text.substring(0, width - 2) + "…";
    }

    static List<String> wrapped(String text) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (String word : text.split(" (?=\\S)")) {
            if (line.length() + word.length() + 1 > WIDTH && line.length() > 4) {
                lines.add(line.toString());
                line = new StringBuilder("   ");
            }
            line.append(line.length() == 0 ? "" : " ").append(word);
        }
        lines.add(line.toString());
        return lines;
    }

    static String markdown(Results results) {
        StringBuilder text = new StringBuilder();
        text.append("# ")
                .append(results.name())
                .append(", ")
                .append(results.started())
                .append("\n\n");
        if (results.interrupted()) {
            text.append("**Interrupted: this is what was measured until then.**\n\n");
        }
        text.append(
                "CPU in microseconds per call, user and system time of each process; medians over the rounds that are"
                        + " valid; spread: (max − min) / median of the CPU's total.\n\n");
        if (!results.cells().isEmpty()) {
            line(
                    text,
                    "transport",
                    "calls × users",
                    "requests/s",
                    "calls/s",
                    "p50",
                    "p99",
                    "generator",
                    "aggregator",
                    "responder",
                    "broker",
                    "total",
                    "spread",
                    "valid");
            line(text, ":--", "--:", "--:", "--:", "--:", "--:", "--:", "--:", "--:", "--:", "--:", "--:", ":--");
        }
        for (CellResult cell : results.cells()) {
            List<String> fields = new ArrayList<>(List.of(
                    cell.transport(),
                    shape(cell),
                    Format.large(cell.median().requestsPerSecond()),
                    Format.large(cell.median().callsPerSecond()),
                    Format.duration(cell.median().requestLatency().p50()),
                    Format.duration(cell.median().requestLatency().p99())));
            ROLES.forEach(role -> fields.add(Format.short3(cell.median().cpu().get(role))));
            fields.add(Format.percent(cell.spread().cpuTotal()));
            fields.add(cell.valid() ? "yes" : "**no**: " + String.join("; ", cell.reasons()));
            line(text, fields.toArray(String[]::new));
        }
        if (!results.rawLimits().isEmpty()) {
            text.append("\nThe raw limit: the bare client library, pipelined, without Spring and Reactor.\n\n");
            line(
                    text,
                    "transport",
                    "calls/s",
                    "best of the system",
                    "ratio",
                    "client",
                    "responder",
                    "broker",
                    "total",
                    "valid");
            line(text, ":--", "--:", "--:", "--:", "--:", "--:", "--:", "--:", ":--");
        }
        for (RawLimit limit : results.rawLimits()) {
            Map<String, @Nullable Double> cpu = limit.median().cpu();
            Double best = best(limit.transport(), results).orElse(null);
            line(
                    text,
                    limit.transport(),
                    Format.large(limit.median().callsPerSecond()),
                    Format.large(best),
                    Format.short3(ratio(limit.median().callsPerSecond(), best)),
                    Format.short3(cpu.get("client")),
                    Format.short3(cpu.get(Stage.RESPONDER)),
                    Format.short3(cpu.get(Stage.BROKER)),
                    Format.short3(cpu.get(CellResult.TOTAL)),
                    limit.valid() ? "yes" : "**no**: " + String.join("; ", limit.reasons()));
        }
        List<String> remarks = remarks(results);
        if (!remarks.isEmpty()) {
            text.append('\n');
            remarks.forEach(remark -> text.append("- ").append(remark).append('\n'));
        }
        return text.toString();
    }

    private static void line(StringBuilder text, String... fields) {
        text.append("| ").append(String.join(" | ", fields)).append(" |\n");
    }
}
