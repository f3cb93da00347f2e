package dev.chatterbox.report;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.databind.json.JsonMapper;

/** The answer first, then charts, then everything that one needs to doubt them. */
final class ReportPage {

    private final Results results;
    private final Sentences sentences;
    private final Html html;
    private final ChartSections charts;
    private final FactSections facts;

    ReportPage(Results results) {
        this.results = results;
        Palette palette = Palette.of(results.knownTransports());
        this.sentences = new Sentences(results);
        this.html = new Html(palette);
        this.charts = new ChartSections(results, sentences, html, new Charts(results, palette));
        this.facts = new FactSections(results, html);
    }

    String html() {
        head();
        answer();
        charts.write();
        limits();
        facts.write();
        return Html.page(
                "%s, %s".formatted(results.name(), results.started()),
                "What does a backend call cost over %s?"
                        .formatted(
                                results.transports().isEmpty()
                                        ? "each transport"
                                        : Format.list(results.transports()).replaceFirst(" and (?=\\S+$)", " or ")),
                html.body(),
                JsonMapper.shared().writeValueAsString(charts.data()));
    }

    private void head() {
        List<String> parts = new ArrayList<>(List.of(results.name()));
        Stream.of(
                        results.started(),
                        results.took().map(ReportPage::readable).orElse(""),
                        machine(),
                        results.revision().isEmpty() ? "" : "git " + results.revision())
                .filter(part -> !part.isEmpty())
                .forEach(parts::add);
        html.paragraph("meta", String.join(" · ", parts));
        if (results.interrupted()) {
            html.raw(
                    "<p class=\"banner\" role=\"note\"><b>Interrupted.</b> This run was ended before it was complete: what"
                            + " it measured is here, the rest is missing.</p>");
        }
        List<Cell> invalid = results.invalidCells();
        if (!invalid.isEmpty()) {
            html.raw(
                    "<p class=\"banner\" role=\"note\"><b>%d of %s %s not valid</b>: hatched or grey in the charts, never ranked."
                                    .formatted(
                                            invalid.size(),
                                            Html.text(Format.counted(
                                                    results.cells().size(), "cell")),
                                            invalid.size() == 1 ? "is" : "are")
                            + " <a href=\"#validity\">The reasons</a></p>");
        }
    }

    private String machine() {
        double cores = Json.number(results.json(), "/environment/machine/cores");
        String cpu = Json.text(results.json(), "/environment/machine/cpu");
        return Double.isNaN(cores) ? cpu : Format.counted((long) cores, "core") + (cpu.isEmpty() ? "" : " of " + cpu);
    }

    private static String readable(Duration duration) {
        return duration.toMinutes() > 0
                ? "%d min %02d s".formatted(duration.toMinutes(), duration.toSecondsPart())
                : "%d s".formatted(duration.toSeconds());
    }

    private void answer() {
        html.raw("<section class=\"panel answer\" aria-labelledby=\"answer\">")
                .raw("<h2 id=\"answer\">The answer</h2>");
        List<String> answer = sentences.answer();
        for (int i = 0; i < answer.size(); i++) {
            html.paragraph(i == 0 ? "first" : "", answer.get(i));
        }
        sentences.headline().ifPresent(this::answerTable);
        html.raw("</section>");
    }

    /** Transports by calls per request, at the pressure of the first sentence. */
    private void answerTable(Load headline) {
        List<Load> loads = results.loads(headline.closed()).stream()
                .filter(load -> load.pressure().equals(headline.pressure()))
                .toList();
        List<String> header = new ArrayList<>(List.of(Sentences.first(headline.pressure())));
        loads.forEach(load -> header.add(load.callsText()));
        Table table = new Table("CPU per call and calls per second, " + headline.pressure(), header);
        for (String transport : results.transports()) {
            List<String> cells = new ArrayList<>(List.of(html.name(transport)));
            boolean any = false;
            for (Load load : loads) {
                Optional<Cell> cell = results.cell(transport, load);
                any |= cell.isPresent();
                cells.add(cell.map(this::answerCell).orElse(Format.NONE));
            }
            if (any) {
                table.row(cells);
            }
        }
        html.raw(table.html());
        html.paragraph(
                "note",
                "CPU of all processes per correct call, and calls per second; medians of the valid rounds. Bold is the"
                        + " best of its column, more than one if they are too close to rank.");
    }

    private String answerCell(Cell cell) {
        if (!cell.valid()) {
            return "<span class=\"bad\">not valid</span>";
        }
        return best(Metric.CPU, cell) + "<br><small>" + best(Metric.CALLS, cell).replace("/s", " calls/s") + "</small>";
    }

    private String best(Metric metric, Cell cell) {
        Ranking ranking = Ranking.of(results, metric, cell.load());
        String text = Html.text(metric.text(cell.figure(metric).median()));
        boolean best = ranking.entries().size() > 1 && ranking.leading().contains(cell.transport());
        return best ? "<b>" + text + "</b>" : text;
    }

    private void limits() {
        List<String> limits = new ArrayList<>();
        limits.add("Everything ran on one machine, over loopback: there is no network latency, which favours many small"
                + " calls, and a real network would add the same to every transport or more to some.");
        double cores = Json.number(results.json(), "/environment/machine/cores");
        limits.add(
                ("Load generator, services and brokers shared %s: throughput says how cheap a call is altogether more"
                                + " than how fast a transport could be alone. Another machine gives other figures; ratios travel"
                                + " better than absolute values.")
                        .formatted(Double.isNaN(cores) ? "its cores" : Format.counted((long) cores, "core")));
        limits.add(
                "A square costs nothing to compute, and the messages are a few bytes: with real work and real payloads the"
                        + " differences between transports shrink.");
        sentences.delivery().ifPresent(limits::add);
        if (!results.loads(true).isEmpty()) {
            limits.add("In the closed model each user waits for the answer before asking again, so its latency is users"
                    + " divided by throughput (Little's law): a full house, not what a user feels at an ordinary load."
                    + (results.loads(false).isEmpty()
                            ? " This run has no open cells, which would show that."
                            : " The open cells show that."));
        }
        html.raw("<section class=\"panel prose\" aria-labelledby=\"limits\">")
                .heading("limits", "What the numbers do not say")
                .list(limits)
                .raw("</section>");
    }
}
