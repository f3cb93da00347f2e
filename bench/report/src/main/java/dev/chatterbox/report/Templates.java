package dev.chatterbox.report;

import gg.jte.ContentType;
import gg.jte.TemplateEngine;
import gg.jte.output.StringOutput;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;

/** Pages from the templates of src/main/jte; each is one file that needs no network. */
final class Templates {

    /** The classes that the build made of the templates lie in this package. */
    private static final TemplateEngine ENGINE = TemplateEngine.createPrecompiled(
            null, ContentType.Html, Templates.class.getClassLoader(), Templates.class.getPackageName());

    private Templates() {}

    /** @param parameters of the template, by name */
    static String render(String template, Map<String, Object> parameters) {
        StringOutput html = new StringOutput();
        ENGINE.render(template, parameters, html);
        return html.toString().strip() + "\n";
    }

    /**
     * The data for charts.js, of all charts that the page has until here, as JSON for a script element: there
     * "</script>" and "<!--" would end or change the script, even in a string.
     */
    static String data(Palette palette, Charts charts) {
        return JsonMapper.shared()
                .writeValueAsString(Map.of("looks", palette.looks(), "charts", charts.specs()))
                .replace("<", "\\u003c");
    }

    /** Reads a style sheet, a program or the chart library, which the pages contain. */
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
