package dev.chatterbox.cli.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
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
                "%s against %s".formatted(comparison.b().folder(), comparison.a().folder()),
                "What differs between two runs, and is it more than noise?",
                html.body(),
                JsonMapper.shared().writeValueAsString(data));
    }

    private void answer() {
        html.raw("<section class=\"panel answer\" aria-labelledby=\"answer\"><h2 id=\"answer\">B against A</h2>");
        List<String> conclusion = comparison.conclusion();
        for (int i = 0; i < conclusion.size(); i++) {
            html.paragraph(i == 0 ? "first" : "", conclusion.get(i));
        }
        Table table = new Table("The two runs", "", "run", "started", "git", "command").words(1, 2, 3, 4);
        run(table, "A", comparison.a());
        run(table, "B", comparison.b());
        html.raw(table.html()).raw("</section>");
        comparison
                .warnings()
                .forEach(warning -> html.raw(
                        "<p class=\"banner\" role=\"note\">%s</p>".formatted(html.sentence(warning))));
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
            html.raw("<section class=\"charts\" aria-labelledby=\"ratios\"><header><h2 id=\"ratios\">B ÷ A <small>ratio of the"
                    + " medians; the grey band is the noise, a full point lies outside of it; log scale</small></h2></header>"
                    + "<div class=\"panels n3\">");
            Comparison.METRICS.forEach(this::panel);
            html.raw("</div>").paragraph("note", Noise.rule()).raw("</section>");
        }
        only("Only in A", comparison.onlyInA());
        only("Only in B", comparison.onlyInB());
    }

    private void panel(Metric metric) {
        List<Map<String, Object>> rows = new ArrayList<>();
        Table table = new Table(metric.title(), "transport", "load", "A", "B", "B ÷ A", "noise", "verdict").words(1, 6);
        String transport = "";
        for (Comparison.Pair pair : comparison.pairs()) {
            Difference difference = Difference.of(metric, pair.a(), pair.b());
            if (!pair.a().transport().equals(transport)) {
                transport = pair.a().transport();
                rows.add(Map.of("group", transport));
            }
            rows.add(row(difference, pair));
            String verdict = word(difference, pair);
            table.row(List.of(
                    html.name(pair.a().transport()),
                    Html.text(difference.load().brief()),
                    Html.text(metric.text(pair.a().figure(metric).median())),
                    Html.text(metric.text(pair.b().figure(metric).median())),
                    Format.ratio(difference.ratio()),
                    Double.isFinite(difference.noise()) ? Html.text("±" + Format.percent(difference.noise())) : Format.NONE,
                    "<span class=\"%s\">%s</span>".formatted(css(difference), Html.text(verdict))));
        }
        String id = "ratio-" + metric.ordinal();
        data.put(id, Map.of("kind", "ratios", "unit", "ratio", "rows", rows));
        html.raw("<figure class=\"panel\"><h3>%s</h3>".formatted(Html.text(Sentences.first(metric.title()))))
                .raw("<div class=\"plot\" data-chart=\"%s\" role=\"img\" aria-label=\"Chart, %s, B by A. The table below says the same.\"></div>"
                        .formatted(id, Html.text(metric.title())))
                .raw("<figcaption>")
                .raw(table.folded())
                .raw("</figcaption></figure>");
    }

    private Map<String, Object> row(Difference difference, Comparison.Pair pair) {
        Metric metric = difference.metric();
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("name", difference.transport());
        row.put("text", difference.load().brief());
        row.put("colour", palette.colour(difference.transport()));
        row.put("value", Charts.orNull(difference.ratio()));
        boolean judged = difference.verdict().counts() || difference.verdict() == Difference.Verdict.SAME;
        row.put("min", judged ? Charts.orNull(1 / (1 + difference.noise())) : null);
        row.put("max", judged ? Charts.orNull(1 + difference.noise()) : null);
        row.put("outside", difference.verdict().counts());
        row.put("label", "×%s %s".formatted(Format.ratio(difference.ratio()), word(difference, pair)).strip());
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
            html.paragraph(
                    title + ": "
                            + String.join(
                                    "; ",
                                    cells.stream()
                                            .map(cell -> cell.transport() + " at "
                                                    + cell.load().brief())
                                            .toList())
                            + ".");
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
                    Html.text(change.name()),
                    Html.text(DiffText.orNone(change.a())),
                    Html.text(DiffText.orNone(change.b())))));
            html.raw(table.html());
        }
        html.raw("</section>");
    }
}
