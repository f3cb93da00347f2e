package dev.chatterbox.report;

import gg.jte.ContentType;
import gg.jte.TemplateEngine;
import gg.jte.output.StringOutput;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;

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

    /** Reads a style sheet or a program, which the pages contain. */
    static String asset(String name) {
        try (InputStream in = Objects.requireNonNull(Templates.class.getResourceAsStream("/report/" + name), name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
