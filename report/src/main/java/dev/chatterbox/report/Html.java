package dev.chatterbox.report;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Pages that need no network: everything is in the one file. */
final class Html {

    private static final Pattern UNIT =
            Pattern.compile("(?<=\\d) (?=(?:k|M|µs|ms|s|%|B|kB|MB|GB|calls?|users?|times)\\b|%|(?:k|M)/s)");

    private final Palette palette;
    private final Pattern names;
    private final StringBuilder body = new StringBuilder();

    Html(Palette palette) {
        this.palette = palette;
        // The longest first, for one name may begin with another.
        this.names = Pattern.compile(palette.names().stream()
                .sorted((a, b) -> b.length() - a.length())
                .map(Pattern::quote)
                .reduce((a, b) -> a + "|" + b)
                .map(alternatives -> "(?<![\\w-])(?:" + alternatives + ")(?![\\w-])")
                .orElse("(?!)"));
    }

    static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }

    /** Escaped; numbers are not torn from their units. */
    static String text(String text) {
        return UNIT.matcher(escape(text)).replaceAll("&nbsp;");
    }

    /** Escaped, every transport in its colour. */
    String sentence(String sentence) {
        Matcher matcher = names.matcher(text(sentence));
        return matcher.replaceAll(match -> Matcher.quoteReplacement(name(match.group())));
    }

    String name(String transport) {
        return "<b class=\"t\" style=\"--c:%s\">%s</b>".formatted(css(transport), text(transport));
    }

    String css(String transport) {
        int colour = palette.colour(transport);
        return colour == 0 ? "var(--muted)" : "var(--series-%d)".formatted(colour);
    }

    /** As it is. */
    Html raw(String html) {
        body.append(html).append('\n');
        return this;
    }

    Html heading(String id, String title) {
        return raw("<h2 id=\"%s\">%s</h2>".formatted(id, text(title)));
    }

    Html paragraph(String sentence) {
        return sentence.isEmpty() ? this : raw("<p>" + sentence(sentence) + "</p>");
    }

    Html paragraph(String css, String sentence) {
        return raw("<p class=\"%s\">%s</p>".formatted(css, sentence(sentence)));
    }

    Html list(List<String> sentences) {
        if (!sentences.isEmpty()) {
            raw("<ul>");
            sentences.forEach(sentence -> raw("<li>" + sentence(sentence) + "</li>"));
            raw("</ul>");
        }
        return this;
    }

    String body() {
        return body.toString();
    }

    /** The whole page: styles, chart library, program and data inlined. */
    static String page(String title, String question, String body, String data) {
        return resource("page.html")
                .replace("{{title}}", text(title))
                .replace("{{question}}", text(question))
                .replace("{{style}}", resource("report.css"))
                .replace("{{theme}}", resource("theme.js"))
                .replace("{{echarts}}", resource("vendor/echarts-6.1.0/echarts.common.min.js"))
                .replace("{{charts}}", resource("charts.js"))
                // In a script element "</script>" and "<!--" would end or change the script, also in a string.
                .replace("{{data}}", data.replace("<", "\\u003c"))
                .replace("{{body}}", body);
    }

    static String resource(String name) {
        try (InputStream in = Html.class.getResourceAsStream("/report/" + name)) {
            if (in == null) {
                throw new IllegalStateException("/report/" + name + " is not in the jar");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
