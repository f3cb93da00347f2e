package dev.chatterbox.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** What one needs to doubt a chart: validity, every figure, the environment, Gatling's own pages. */
final class FactSections {

    private final Results results;
    private final Html html;

    FactSections(Results results, Html html) {
        this.results = results;
        this.html = html;
    }

    void write() {
        validity();
        everything();
        environment();
        gatling();
    }

    private void open(String id, String title) {
        html.raw("<section class=\"panel prose\" aria-labelledby=\"%s\">".formatted(id))
                .heading(id, title);
    }

    private void close() {
        html.raw("</section>");
    }

    private void validity() {
        open("validity", "Validity");
        List<Cell> invalid = results.invalidCells();
        int rounds =
                results.cells().stream().mapToInt(cell -> cell.rounds().size()).sum();
        if (invalid.isEmpty()) {
            html.paragraph(
                    rounds == 0
                            ? "No cell was measured."
                            : "%s of %s, all cells valid: every request returned all its squares, each once, each right."
                                    .formatted(
                                            Format.counted(rounds, "round"),
                                            Format.counted(results.cells().size(), "cell")));
        } else {
            Table table = new Table("Cells that are not valid", "transport", "load", "reasons").words(1, 2);
            for (Cell cell : invalid) {
                table.row(
                        "bad",
                        List.of(
                                html.name(cell.transport()),
                                Html.text(cell.load().brief()),
                                String.join(
                                        "<br>",
                                        cell.reasons().stream().map(Html::text).toList())));
            }
            html.raw(table.html());
        }
        List<String> remarks = new ArrayList<>();
        results.cells().stream()
                .filter(cell -> cell.valid() && cell.rounds().stream().anyMatch(round -> !round.valid()))
                .forEach(cell -> remarks.add("%s at %s: left out %s."
                        .formatted(cell.transport(), cell.load().brief(), Format.list(cell.reasons()))));
        results.rawLimits().stream()
                .filter(raw -> !raw.valid())
                .forEach(raw -> remarks.add("The raw limit of %s is not valid: %s."
                        .formatted(raw.transport(), Format.list(raw.reasons()))));
        long restless = results.cells().stream()
                .flatMap(cell -> cell.rounds().stream())
                .filter(round -> Json.isFalse(round.json(), "/warmUp/stable"))
                .count();
        if (restless > 0) {
            remarks.add("In %d of %d rounds the warm-up ended at its cap before the transport was stable."
                    .formatted(restless, rounds));
        }
        Json.fields(results.json(), "/environment/faults")
                .forEach((transport, fault) -> remarks.add("Faults were switched on in the responder of %s: %s."
                        .formatted(transport, String.join(", ", facts(fault)))));
        JsonNode counts = results.json().at("/counts");
        if (Json.isTrue(counts, "/agree")) {
            remarks.add(
                    "The counts agree to the last one, warm-up included: load generator, aggregator and responders all"
                            + " saw %s calls.".formatted(Format.whole(sum(counts.at("/generatorCalls")))));
        }
        html.list(remarks);
        warnings();
        if (Json.isFalse(counts, "/agree")) {
            html.paragraph(
                    "bad",
                    "The counts of load generator, aggregator and responders do not agree: "
                            + String.join(", ", facts(counts)) + ".");
        }
        close();
    }

    private static double sum(JsonNode byTransport) {
        return byTransport.values().stream().mapToDouble(JsonNode::asDouble).sum();
    }

    private void warnings() {
        Table table = new Table("Warnings", "transport", "load", "still valid, but").words(1, 2);
        for (Cell cell : results.cells()) {
            if (!cell.warnings().isEmpty()) {
                table.row(List.of(
                        html.name(cell.transport()),
                        Html.text(cell.load().brief()),
                        String.join(
                                "<br>", cell.warnings().stream().map(Html::text).toList())));
            }
        }
        if (!table.isEmpty()) {
            html.raw(table.html());
        }
    }

    private static List<String> facts(JsonNode node) {
        return Json.leaves(node).entrySet().stream()
                .filter(fact -> !fact.getKey().equals("agree"))
                .map(fact -> fact.getKey() + " " + fact.getValue())
                .toList();
    }

    private void everything() {
        if (results.cells().isEmpty()) {
            return;
        }
        open("everything", "Every figure");
        Set<String> cpu = new LinkedHashSet<>();
        Set<String> allocated = new LinkedHashSet<>();
        Set<String> memory = new LinkedHashSet<>();
        for (Cell cell : results.cells()) {
            cpu.addAll(Json.fields(cell.json(), "/median/cpu").keySet());
            allocated.addAll(
                    Json.fields(cell.json(), "/median/allocatedBytesPerCall").keySet());
            memory.addAll(Json.fields(cell.json(), "/median/memory").keySet());
        }
        List<String> header = new ArrayList<>(List.of("transport", "load", "requests/s", "calls/s", "failed"));
        for (String percentile : List.of("p50", "p90", "p95", "p99", "max")) {
            header.add("request " + percentile);
        }
        for (String percentile : List.of("p50", "p90", "p95", "p99", "max")) {
            header.add("call " + percentile);
        }
        cpu.forEach(process -> header.add("CPU " + process));
        allocated.forEach(process -> header.add("allocated per call, " + process));
        memory.forEach(process -> header.add("resident, " + process + ", idle → peak"));
        Table table = new Table("Every figure, medians of the valid rounds", header).words(1);
        results.cells().stream()
                .sorted((a, b) -> {
                    int byName = a.transport().compareTo(b.transport());
                    return byName != 0 ? byName : a.load().compareTo(b.load());
                })
                .forEach(cell -> {
                    List<String> row = new ArrayList<>();
                    row.add(html.name(cell.transport()));
                    row.add(Html.text(cell.load().brief() + (cell.valid() ? "" : ", not valid")));
                    row.add(Html.text(Format.rate(cell.median("/requestsPerSecond"))));
                    row.add(Html.text(Format.rate(cell.median("/callsPerSecond"))));
                    row.add(Format.whole(cell.rounds().stream()
                            .mapToDouble(round -> Json.number(round.json(), "/failed"))
                            .filter(Double::isFinite)
                            .sum()));
                    for (String latency : List.of("requestLatency", "callLatency")) {
                        for (String percentile : List.of("p50", "p90", "p95", "p99", "max")) {
                            row.add(Html.text(Format.seconds(cell.median("/" + latency + "/" + percentile))));
                        }
                    }
                    cpu.forEach(process -> row.add(Html.text(Format.micros(cell.median("/cpu/" + process)))));
                    allocated.forEach(process ->
                            row.add(Html.text(Format.bytes(cell.median("/allocatedBytesPerCall/" + process)))));
                    memory.forEach(process -> row.add(Html.text("%s → %s"
                            .formatted(
                                    Format.bytes(cell.median("/memory/" + process + "/idleBytes")),
                                    Format.bytes(cell.median("/memory/" + process + "/peakBytes"))))));
                    table.row(cell.valid() ? "" : "bad", row);
                });
        html.raw("<details class=\"wide\"><summary>%s</summary>%s</details>"
                .formatted(
                        "Medians of all " + Format.counted(results.cells().size(), "cell")
                                + ": latencies, CPU, allocation, memory",
                        table.html()));
        html.raw("<p class=\"note\">The same for programs: <a href=\"results.json\">results.json</a>, <a"
                + " href=\"results.csv\">results.csv</a>; to paste: <a href=\"summary.md\">summary.md</a>.</p>");
        close();
    }

    private void environment() {
        open("environment", "Environment");
        String command = Json.text(results.json(), "/command");
        if (!command.isEmpty()) {
            html.raw("<p><code>%s</code></p>".formatted(Html.text(command)));
        }
        transportSettings();
        html.raw("<div class=\"facts\">");
        for (String part : List.of("machine", "java", "versions", "git")) {
            facts(part, results.json().at("/environment/" + part));
        }
        Json.fields(results.json(), "/environment/settings").forEach((part, settings) -> {
            if (!part.equals("transports")) {
                facts("settings: " + part, settings);
            }
        });
        html.raw("</div>");
        close();
    }

    private void facts(String title, JsonNode node) {
        Map<String, String> leaves = Json.leaves(node);
        if (leaves.isEmpty()) {
            return;
        }
        html.raw("<div><h3>%s</h3><dl>".formatted(Html.text(title)));
        leaves.forEach((name, value) ->
                html.raw("<dt>%s</dt><dd>%s</dd>".formatted(Html.text(name), Html.text(readable(name, value)))));
        html.raw("</dl></div>");
    }

    private static String readable(String name, String value) {
        return name.endsWith("Bytes") && value.matches("[0-9]+") ? Format.bytes(Double.parseDouble(value)) : value;
    }

    /** Settings by transport, so that one sees what is not equal. */
    private void transportSettings() {
        Map<String, JsonNode> transports =
                new LinkedHashMap<>(Json.fields(results.json(), "/environment/settings/transports"));
        if (transports.isEmpty()) {
            return;
        }
        Set<String> names = new LinkedHashSet<>();
        transports.values().forEach(transport -> {
            names.addAll(Json.fields(transport, "/settings").keySet());
        });
        List<String> header = new ArrayList<>(List.of("setting"));
        List<String> columns = transports.keySet().stream().sorted().toList();
        header.addAll(columns);
        Table table = new Table("Settings of the transports", header);
        for (int i = 1; i <= columns.size(); i++) {
            table.words(i);
        }
        table.row(settings("kind", columns, transports, "/kind"));
        names.forEach(name -> table.row(settings(name, columns, transports, "/settings/" + pointer(name))));
        html.raw(table.html());
    }

    /** RFC 6901 */
    private static String pointer(String name) {
        return name.replace("~", "~0").replace("/", "~1");
    }

    private static List<String> settings(
            String name, List<String> transports, Map<String, JsonNode> settings, String pointer) {
        List<String> row = new ArrayList<>(List.of(Html.text(name)));
        for (String transport : transports) {
            JsonNode of = settings.get(transport);
            String value = of == null ? "" : Json.text(of, pointer);
            row.add(value.isEmpty() ? Format.NONE : Html.text(value));
        }
        return row;
    }

    private void gatling() {
        List<JsonNode> pages = Json.children(results.json(), "/gatlingReports");
        if (pages.isEmpty()) {
            return;
        }
        open("gatling", "Gatling's own pages");
        html.raw("<ul class=\"links\">");
        for (JsonNode page : pages) {
            String path = Json.text(page);
            // Relative ones only: a file from elsewhere must not smuggle a script in.
            if (!path.isEmpty() && !path.startsWith("/") && !path.matches("(?i)[a-z][a-z0-9+.-]*:.*")) {
                String label = path.replaceFirst("^gatling/", "").replaceFirst("/index\\.html$", "");
                html.raw("<li><a href=\"%s\">%s</a></li>".formatted(Html.escape(path), Html.text(label)));
            }
        }
        html.raw("</ul>");
        close();
    }
}
