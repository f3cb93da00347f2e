package dev.chatterbox.report;

import gg.jte.ContentType;
import gg.jte.TemplateEngine;
import gg.jte.output.StringOutput;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;

/** Pages from the templates of src/main/jte; each is one file that needs no network. */
final class Templates {

    /** The classes that the build made of the templates lie in this package. */
    private static final TemplateEngine ENGINE = TemplateEngine.createPrecompiled(
            null, ContentType.Html, Templates.class.getClassLoader(), Templates.class.getPackageName());

    private Templates() {}

    static String render(ReportPage page) {
        return render("report.jte", page, page.charts());
    }

    static String render(DifferencePage page) {
        return render("diff.jte", page, page.ratios() == null ? List.of() : List.of(page.ratios()));
    }

    private static String render(String template, Object page, List<ChartSection> charts) {
        StringOutput html = new StringOutput();
        ENGINE.render(template, Map.of("page", page, "data", data(charts)), html);
        return html.toString().strip() + "\n";
    }

    /** What charts.js draws, by the id of the panel. */
    private static String data(List<ChartSection> sections) {
        Map<String, Object> charts = new LinkedHashMap<>();
        for (ChartSection section : sections) {
            for (ChartSection.PanelGroup group : section.groups()) {
                group.panels().forEach(panel -> charts.put(panel.id(), panel.chart()));
            }
        }
        // In a script element "</script>" and "<!--" would end or change the script, also in a string.
        return JsonMapper.shared().writeValueAsString(charts).replace("<", "\\u003c");
    }

    /** Styles, programs and the chart library, which the pages carry along. */
    static String asset(String name) {
        try (InputStream in = Templates.class.getResourceAsStream("/report/" + name)) {
            if (in == null) {
                throw new IllegalStateException("/report/" + name + " is not in the jar");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
