package dev.chatterbox.report;

import dev.chatterbox.report.claims.ClaimResult;
import dev.chatterbox.report.claims.ClaimResult.CaseResult;
import dev.chatterbox.results.Estimate;
import java.util.List;
import java.util.Locale;

/**
 * A drawing of claims, one line for each, on a logarithmic axis: an open circle for the published ratio, a full circle
 * for ours under the published settings, a diamond for ours repaired. It is readable without colours, and on a light
 * and on a dark page.
 */
final class ClaimsPicture {

    private static final double LEFT = 300;
    private static final double RIGHT = 700;
    private static final double WIDTH = 720;
    private static final double LINE = 26;
    private static final double TOP = 64;
    private static final double[] TICKS = {0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200};
    private static final double LEAST = 0.04;
    private static final double MOST = 200;

    private ClaimsPicture() {}

    static String svg(List<ClaimResult> results) {
        double bottom = TOP + LINE * results.size();
        StringBuilder svg = new StringBuilder();
        add(svg, """
                <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %.0f" role="img" aria-label="Published ratios, and ours">
                <style>
                svg{color:#1b1f24;font:13px system-ui,sans-serif}text{fill:currentColor}
                .rule{stroke:currentColor;opacity:.15}.one{stroke:currentColor;opacity:.6}
                .told{fill:none;stroke:currentColor;stroke-width:2}.same{fill:#d55e00;stroke:#d55e00}
                .repaired{fill:#0072b2;stroke:#0072b2}
                @media(prefers-color-scheme:dark){svg{color:#e6e6e6}.repaired{fill:#56b4e9;stroke:#56b4e9}}
                </style>
                """, WIDTH, bottom + 34);
        add(svg, "<circle class=\"told\" cx=\"14\" cy=\"16\" r=\"5\"/><text x=\"26\" y=\"20\">published</text>\n");
        add(
                svg,
                "<circle class=\"same\" cx=\"110\" cy=\"16\" r=\"5\"/><text x=\"122\" y=\"20\">ours, as published</text>\n");
        add(svg, "%s<text x=\"266\" y=\"20\">ours, repaired</text>\n", diamond(254, 16));
        add(svg, "<text x=\"8\" y=\"44\" opacity=\".75\">how many times better the first is than the second</text>\n");
        for (double tick : TICKS) {
            double x = x(tick);
            add(
                    svg,
                    "<line class=\"%s\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%.0f\" y2=\"%.0f\"/>\n",
                    tick == 1 ? "one" : "rule",
                    x,
                    x,
                    TOP - 8,
                    bottom);
            add(
                    svg,
                    "<text x=\"%.1f\" y=\"%.0f\" text-anchor=\"middle\">%s</text>\n",
                    x,
                    bottom + 18,
                    tick < 1 ? String.valueOf(tick) : "%.0f".formatted(tick));
        }
        double y = TOP + LINE / 2;
        for (ClaimResult result : results) {
            CaseResult first = result.cases().get(0);
            add(
                    svg,
                    "<text x=\"8\" y=\"%.1f\">%s %s, %s</text>\n",
                    y + 4,
                    result.claim().id(),
                    result.claim().systems(),
                    result.claim().source());
            interval(svg, "same", first.published(), y);
            interval(svg, "repaired", first.repaired(), y);
            add(
                    svg,
                    "<circle class=\"same\" cx=\"%.1f\" cy=\"%.1f\" r=\"4\"/>\n",
                    x(first.published().value()),
                    y);
            add(svg, "%s\n", diamond(x(first.repaired().value()), y));
            add(
                    svg,
                    "<circle class=\"told\" cx=\"%.1f\" cy=\"%.1f\" r=\"6\"/>\n",
                    x(first.of().ratio()),
                    y);
            y += LINE;
        }
        return svg.append("</svg>\n").toString();
    }

    private static void interval(StringBuilder svg, String kind, Estimate ratio, double y) {
        if (ratio.hasInterval()) {
            add(
                    svg,
                    "<line class=\"%s\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\" stroke-width=\"2\"/>\n",
                    kind,
                    x(ratio.from()),
                    x(ratio.to()),
                    y,
                    y);
        }
    }

    private static String diamond(double x, double y) {
        return String.format(
                Locale.ROOT, "<path class=\"repaired\" d=\"M%.1f %.1fl5.5 5.5-5.5 5.5-5.5-5.5z\"/>", x, y - 5.5);
    }

    /** Ratios beyond the axis are drawn at its ends. */
    private static double x(double ratio) {
        double part = Math.log(Math.min(MOST, Math.max(LEAST, ratio)) / LEAST) / Math.log(MOST / LEAST);
        return LEFT + part * (RIGHT - LEFT);
    }

    private static void add(StringBuilder svg, String format, Object... arguments) {
        svg.append(String.format(Locale.ROOT, format, arguments));
    }
}
