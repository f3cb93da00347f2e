package dev.chatterbox.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.DoubleStream;
import tools.jackson.databind.json.JsonMapper;

/** A comparison of two runs as a page, in the look of the report. */
final class DiffPage {

    private final Comparison comparison;
    private final Palette palette;
    private final Html html;
    private final Map<String, Object> data = new LinkedHashMap<>();

    DiffPage(Comparison comparison) {
        this.comparison = comparison;
        TreeSet<String> names = new TreeSet<>(comparison.a().knownTransports());
        names.addAll(comparison.b().knownTransports());
        this.palette = Palette.of(names);
        this.html = new Html(palette);
    }

    String html() {
        answer();
        charts();
        changes();
        return Html.page(
                "%s against %s"
                        .formatted(comparison.b().folder(), comparison.a().folder()),
                "What differs between two runs, and is it more than noise?",
                html.body(),
                JsonMapper.shared().writeValueAsString(data));
    }

    private void answer() {
        comparison
                .warnings()
                .forEach(warning ->
                        html.raw("<p class=\"banner\" role=\"note\">%s</p>".formatted(html.sentence(warning))));
        html.raw("<section class=\"panel answer\" aria-labelledby=\"answer\"><h2 id=\"answer\">B against A</h2>");
        List<String> conclusion = comparison.conclusion();
        for (int i = 0; i < conclusion.size(); i++) {
            html.paragraph(i == 0 ? "first" : "", conclusion.get(i));
        }
        Table table = new Table("The two runs", "", "run", "started", "git", "command").words(1, 2, 3, 4);
        run(table, "A", comparison.a());
        run(table, "B", comparison.b());
        html.raw(table.html()).raw("</section>");
    }

    private static void run(Table table, String which, Results results) {
        table.row(List.of(
                which,
                Html.text(results.folder()),
                Html.text(results.started()),
                Html.text(DiffText.orNone(results.revision())),
                Html.text(DiffText.orNone(Json.text(results.json(), "/command")))));
    }

    private void charts() {
        if (!comparison.pairs().isEmpty()) {
            html.raw(
                    "<section class=\"charts\" aria-labelledby=\"ratios\"><header><h2 id=\"ratios\">B ÷ A <small>ratio of the"
                            + " medians; the grey band is the noise, a full point lies outside of it; log scale</small></h2></header>");
            Comparison.METRICS.forEach(this::metric);
            html.paragraph("note", Noise.rule()).raw("</section>");
        }
        only("Only in A", comparison.onlyInA());
        only("Only in B", comparison.onlyInB());
    }

    /** A panel for each transport: together they would be too long for a page. */
    private void metric(Metric metric) {
        List<String> transports = comparison.transports();
        html.raw("<h3 class=\"sub\">%s</h3><div class=\"panels n%d\">"
                .formatted(Html.text(Sentences.first(metric.title())), Math.min(transports.size(), 5)));
        for (String transport : transports) {
            panel(
                    metric,
                    transport,
                    comparison.pairs().stream()
                            .filter(pair -> pair.a().transport().equals(transport))
                            .toList());
        }
        html.raw("</div>");
    }

    private void panel(Metric metric, String transport, List<Comparison.Pair> pairs) {
        List<Map<String, Object>> rows = new ArrayList<>();
        Table table =
                new Table(metric.title() + ", " + transport, "load", "A", "B", "B ÷ A", "noise", "verdict").words(5);
        List<String> pressures = pairs.stream()
                .map(pair -> pair.a().load().pressure())
                .distinct()
                .toList();
        int calls = 0;
        for (Comparison.Pair pair : pairs) {
            Load load = pair.a().load();
            Difference difference = Difference.of(metric, pair.a(), pair.b());
            if (pressures.size() > 1 && load.calls() != calls) {
                rows.add(Map.of("group", load.callsText()));
            }
            calls = load.calls();
            rows.add(row(
                    difference, pair, pressures.size() > 1 ? load.pressure() : Format.counted(load.calls(), "call")));
            table.row(List.of(
                    Html.text(load.brief()),
                    Html.text(metric.text(pair.a().figure(metric).median())),
                    Html.text(metric.text(pair.b().figure(metric).median())),
                    Format.ratio(difference.ratio()),
                    Double.isFinite(difference.noise())
                            ? Html.text("±" + Format.percent(difference.noise()))
                            : Format.NONE,
                    "<span class=\"%s\">%s</span>".formatted(css(difference), Html.text(word(difference, pair)))));
        }
        String id = "ratio-%d-%s".formatted(metric.ordinal(), transport);
        String title = transport + (pressures.size() == 1 ? ", " + pressures.get(0) : "");
        data.put(id, Map.of("kind", "ratios", "unit", "ratio", "rows", rows, "range", range(metric)));
        html.raw("<figure class=\"panel\"><h3>%s</h3>".formatted(html.sentence(title)))
                .raw(
                        "<div class=\"plot\" data-chart=\"%s\" role=\"img\" aria-label=\"Chart, %s of %s, B by A. The table below says the same.\"></div>"
                                .formatted(Html.escape(id), Html.text(metric.title()), Html.text(title)))
                .raw("<figcaption>")
                .raw(table.folded())
                .raw("</figcaption></figure>");
    }

    /** One scale for all panels of a metric, with 1 and the noise in it. */
    private List<Double> range(Metric metric) {
        double[] ratios = comparison.pairs().stream()
                .filter(pair -> pair.a().valid() && pair.b().valid())
                .map(pair -> Difference.of(metric, pair.a(), pair.b()))
                .flatMapToDouble(difference ->
                        DoubleStream.of(difference.ratio(), 1 + difference.noise(), 1 / (1 + difference.noise())))
                .filter(Double::isFinite)
                .toArray();
        return List.of(
                DoubleStream.of(ratios).min().orElse(1),
                DoubleStream.of(ratios).max().orElse(1));
    }

    private Map<String, Object> row(Difference difference, Comparison.Pair pair, String name) {
        Metric metric = difference.metric();
        boolean valid = pair.a().valid() && pair.b().valid();
        boolean judged = difference.verdict().counts() || difference.verdict() == Difference.Verdict.SAME;
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("name", difference.transport());
        row.put("text", name);
        row.put("colour", palette.colour(difference.transport()));
        row.put("invalid", !valid);
        row.put("value", valid ? Charts.orNull(difference.ratio()) : null);
        row.put("min", judged ? Charts.orNull(1 / (1 + difference.noise())) : null);
        row.put("max", judged ? Charts.orNull(1 + difference.noise()) : null);
        row.put("outside", difference.verdict().counts());
        row.put(
                "label",
                !valid
                        ? "not valid"
                        : "×%s %s"
                                .formatted(Format.ratio(difference.ratio()), word(difference, pair))
                                .strip());
        row.put(
                "tip",
                List.of(
                        List.of("A", metric.text(pair.a().figure(metric).median())),
                        List.of("B", metric.text(pair.b().figure(metric).median())),
                        List.of("B ÷ A", difference.text())));
        return row;
    }

    private static String word(Difference difference, Comparison.Pair pair) {
        if (!pair.a().valid() || !pair.b().valid()) {
            return "not valid";
        }
        return switch (difference.verdict()) {
            case UNKNOWN -> "not judged";
            case NONE -> "";
            default -> difference.verdict().word();
        };
    }

    private static String css(Difference difference) {
        return switch (difference.verdict()) {
            case BETTER -> "better";
            case WORSE -> "worse";
            case SAME -> "same";
            case UNKNOWN, NONE -> "unknown";
        };
    }

    private void only(String title, List<Cell> cells) {
        if (!cells.isEmpty()) {
            html.paragraph(title + ": " + Comparison.brief(cells) + ".");
        }
    }

    private void changes() {
        html.raw("<section class=\"panel prose\" aria-labelledby=\"changes\">")
                .heading("changes", "What differs in the environments");
        List<Comparison.Change> changes = comparison.changes();
        if (changes.isEmpty()) {
            html.paragraph("Nothing.");
        } else {
            Table table = new Table("What differs in the environments", "what", "A", "B").words(1, 2);
            changes.forEach(change -> table.row(List.of(
                    Html.text(change.shortName()),
                    Html.text(DiffText.orNone(change.a())),
                    Html.text(DiffText.orNone(change.b())))));
            html.raw(table.html());
        }
        html.raw("</section>");
    }
}
