package dev.chatterbox.report;

import dev.chatterbox.results.Cell;
import dev.chatterbox.results.Estimate;
import dev.chatterbox.results.ResultsException;
import dev.chatterbox.results.Sums;
import dev.chatterbox.workloads.Dimension;
import dev.chatterbox.workloads.Workload;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.DoubleSummaryStatistics;
import java.util.IntSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;

/**
 * A picture of what a call costs over the number of calls per request, for pages without scripts. Each load has a panel,
 * and each row a line in it, with the band of its 99 % intervals. Both axes are logarithmic, and a factor of ten is as
 * long in each panel. The picture can be read on a light and on a dark page, and without colours.
 */
final class CallsChart {

    private static final int WIDTH = 860;
    private static final int HEIGHT = 404;
    private static final int LEFT = 66;
    private static final int TOP = 40;
    private static final int BOTTOM = 340;
    /** Between the ends of the grid and the fewest and the most calls. */
    private static final int MARGIN = 14;
    /** The room for a letter of the names at the right of a panel, and for the gaps around a name. */
    private static final double LETTER = 8.2;

    private static final int GAPS = 34;

    private static final int LINE_HEIGHT = 17;
    private static final List<String> DASHES = List.of("none", "7 4", "2 3", "11 4 2 4", "11 3 2 3 2 3");
    private static final Pattern COLOUR = Pattern.compile("--(?:panel|line|ink|muted|series-\\d): [^;]+;");

    private final Palette palette;
    private final StringBuilder svg = new StringBuilder();

    /** @param workloads may differ in their calls and in their exchange */
    record Load(String title, List<Workload> workloads) {}

    private record Point(int calls, Estimate cost, boolean caveat) {}

    /** @param name the row, with the exchange unless calls are single; a dagger says that a figure has a caveat */
    private record Line(String row, String name, List<Point> points) {

        private Point last() {
            return points.get(points.size() - 1);
        }

        /** The figure at its right end. */
        private String figure() {
            return Numbers.digits(last().cost.value());
        }
    }

    private record Panel(String title, List<Line> lines) {

        private IntSummaryStatistics calls() {
            return lines.stream()
                    .flatMap(line -> line.points.stream())
                    .collect(Collectors.summarizingInt(Point::calls));
        }

        private double names() {
            return GAPS
                    + LETTER
                            * lines.stream()
                                    .mapToInt(line -> line.name.length()
                                            + 1
                                            + line.figure().length())
                                    .max()
                                    .orElseThrow();
        }

        /** How long the axis of calls is, in factors of ten. */
        private double decades() {
            return Math.log10((double) calls().getMax() / calls().getMin());
        }
    }

    /** Where a number of calls, and a cost, are drawn. */
    private record Scale(double left, double right, int fewest, double decade, double least, double most) {

        private double x(int calls) {
            return left + MARGIN + Math.log10((double) calls / fewest) * decade;
        }

        private double y(double cost) {
            return BOTTOM - Math.log(cost / least) / Math.log(most / least) * (BOTTOM - TOP);
        }
    }

    private CallsChart(List<String> rows) {
        palette = Palette.of(rows);
    }

    /** @throws ResultsException a row was not measured under any workload of a load */
    static String svg(MeasuredRun run, List<String> rows, List<Load> loads) {
        CallsChart chart = new CallsChart(rows);
        chart.draw(loads.stream().map(load -> panel(run, rows, load)).toList());
        return chart.svg.toString();
    }

    private static Panel panel(MeasuredRun run, List<String> rows, Load load) {
        List<Line> lines = new ArrayList<>();
        for (String row : rows) {
            Map<String, List<Point>> points = new LinkedHashMap<>();
            for (Workload workload : load.workloads) {
                run.results()
                        .cell(row, workload, null)
                        .ifPresent(cell -> points.computeIfAbsent(exchange(workload), exchange -> new ArrayList<>())
                                .add(point(run, cell)));
            }
            if (points.isEmpty()) {
                throw new ResultsException("names what was not measured: " + row);
            }
            points.forEach((exchange, some) -> lines.add(line(row, exchange, some)));
        }
        return new Panel(load.title, lines);
    }

    private static Point point(MeasuredRun run, Cell cell) {
        return new Point(cell.workload().calls(), run.estimator().figure(Sums.cpu(cell)), RunTables.isDoubted(cell));
    }

    /** As it follows a row's name. */
    private static String exchange(Workload workload) {
        return switch (workload.exchange()) {
            case UNARY -> "";
            case BATCH -> ", batch of " + workload.get(Dimension.SIZE);
            case STREAM, QUEUE -> ", " + workload.exchange().text();
        };
    }

    private static Line line(String row, String exchange, List<Point> points) {
        boolean caveat = points.stream().anyMatch(Point::caveat);
        return new Line(
                row,
                row + exchange + (caveat ? "†" : ""),
                points.stream().sorted(Comparator.comparingInt(Point::calls)).toList());
    }

    private void draw(List<Panel> panels) {
        List<Line> lines =
                panels.stream().flatMap(panel -> panel.lines.stream()).toList();
        DoubleSummaryStatistics costs = lines.stream()
                .flatMap(line -> line.points.stream())
                .flatMapToDouble(point -> DoubleStream.of(point.cost.value(), point.cost.from(), point.cost.to()))
                .filter(Double::isFinite)
                .summaryStatistics();
        double least = costs.getMin() / 1.15;
        double most = costs.getMax() * 1.15;
        double decades = panels.stream().mapToDouble(Panel::decades).sum();
        double names = panels.stream().mapToDouble(Panel::names).sum();
        double decade = (WIDTH - LEFT - names - panels.size() * 2 * MARGIN) / Math.max(1, decades);
        add("""
                <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" role="img" aria-label="CPU time per call over calls per request">
                <style>
                svg{%s;font:14px system-ui,sans-serif}
                @media(prefers-color-scheme:dark){svg{%s}}
                text{fill:var(--ink)}.muted{fill:var(--muted)}.grid{stroke:var(--line)}.title{font-weight:600}
                .curve{fill:none;stroke:currentColor;stroke-width:2.25}.band{fill:currentColor;opacity:.17}
                .mark{fill:currentColor;stroke:currentColor;stroke-width:1.5}.open{fill:var(--panel)}
                .to-name{stroke:currentColor;opacity:.6}.whisker{stroke:currentColor;stroke-width:1.5}
                </style>
                <rect width="100%%" height="100%%" rx="8" fill="var(--panel)"/>
                <text class="muted" transform="translate(18 %d) rotate(-90)" text-anchor="middle">CPU-µs per call, log scale</text>
                """, WIDTH, HEIGHT, colours(":root {"), colours(":root[data-theme=dark] {"), (TOP + BOTTOM) / 2);
        double left = LEFT;
        for (Panel panel : panels) {
            double right = left + 2 * MARGIN + panel.decades() * decade;
            Scale scale = new Scale(left, right, panel.calls().getMin(), decade, least, most);
            axes(panel, scale, left == LEFT);
            panel.lines.forEach(line -> curve(line, scale));
            names(panel, scale);
            left = right + panel.names();
        }
        if (lines.stream().anyMatch(line -> line.name.endsWith("†"))) {
            add("<text class=\"muted\" x=\"%d\" y=\"%d\">† a figure with a caveat</text>\n", LEFT, HEIGHT - 6);
        }
        add("</svg>\n");
    }

    /** The colours of the report's pages, from its style sheet. */
    private static String colours(String block) {
        String css = Templates.asset("report.css");
        int from = css.indexOf(block);
        return COLOUR.matcher(css.substring(from, css.indexOf('}', from)))
                .results()
                .map(MatchResult::group)
                .collect(Collectors.joining());
    }

    private void axes(Panel panel, Scale scale, boolean first) {
        add("<text class=\"title\" x=\"%.0f\" y=\"24\">%s</text>\n", scale.left, escaped(panel.title));
        for (int half = (int) Math.ceil(2 * Math.log10(scale.least)); half <= 2 * Math.log10(scale.most); half++) {
            double cost = Math.pow(10, Math.floorDiv(half, 2)) * (half % 2 == 0 ? 1 : 3);
            double y = scale.y(cost);
            add(
                    "<line class=\"grid\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%3$.1f\"/>\n",
                    scale.left, scale.right, y);
            if (first) {
                add(
                        "<text class=\"muted\" x=\"%.0f\" y=\"%.1f\" text-anchor=\"end\">%s</text>\n",
                        scale.left - 6, y + 5, cost < 1 ? String.valueOf(cost) : Numbers.whole(cost));
            }
        }
        panel.lines.stream()
                .flatMap(line -> line.points.stream())
                .mapToInt(Point::calls)
                .distinct()
                .forEach(calls -> add(
                        "<text class=\"muted\" x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>\n",
                        scale.x(calls), BOTTOM + 20, Numbers.whole(calls)));
        add(
                "<text class=\"muted\" x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">calls per request</text>\n",
                (scale.left + scale.right) / 2, BOTTOM + 42);
    }

    private void curve(Line line, Scale scale) {
        List<String> upper = new ArrayList<>();
        List<String> lower = new ArrayList<>();
        for (Point point : line.points) {
            if (point.cost.hasInterval()) {
                upper.add(place(scale, point.calls, point.cost.to()));
                lower.add(0, place(scale, point.calls, point.cost.from()));
            }
        }
        add("<g color=\"%s\">\n", palette.css(line.row));
        upper.addAll(lower);
        if (!upper.isEmpty()) {
            add("<path class=\"band\" d=\"M%sz\"/>\n", String.join("L", upper));
        }
        add(
                "<path class=\"curve\" stroke-dasharray=\"%s\" d=\"M%s\"/>\n",
                DASHES.get(palette.look(line.row).dash()),
                line.points.stream()
                        .map(point -> place(scale, point.calls, point.cost.value()))
                        .collect(Collectors.joining("L")));
        for (Point point : line.points) {
            double x = scale.x(point.calls);
            if (point.cost.hasInterval()) {
                add(
                        "<path class=\"whisker\" d=\"M%.1f %.1fV%.1f\"/>\n",
                        x, scale.y(point.cost.to()), scale.y(point.cost.from()));
            }
            mark(line.row, x, scale.y(point.cost.value()));
        }
        add("</g>\n");
    }

    /** The mark that Palette names; the four shapes come filled, then open. */
    private void mark(String row, double x, double y) {
        int mark = palette.look(row).mark();
        String path = switch (mark % 4) {
            case 0 -> "m-4.5 0a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0-9 0z";
            case 1 -> "m-4-4h8v8h-8z";
            case 2 -> "m0-5l5 9h-10z";
            default -> "m0-5.5l5.5 5.5-5.5 5.5-5.5-5.5z";
        };
        add("<path class=\"mark%s\" d=\"M%.1f %.1f%s\"/>\n", mark < 4 ? "" : " open", x, y, path);
    }

    /** Each line's name and last figure at its right end, moved down where another one would cover it. */
    private void names(Panel panel, Scale scale) {
        double free = TOP;
        List<Line> sorted = panel.lines.stream()
                .sorted(Comparator.comparingDouble(line -> -line.last().cost.value()))
                .toList();
        for (Line line : sorted) {
            double end = scale.x(line.last().calls);
            double own = scale.y(line.last().cost.value());
            double y = Math.max(own, free);
            free = y + LINE_HEIGHT;
            add(
                    "<line class=\"to-name\" color=\"%s\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\"/>\n",
                    palette.css(line.row), end + 7, scale.right + 8, own, y);
            add(
                    "<text x=\"%.1f\" y=\"%.1f\"><tspan class=\"title\">%s</tspan> %s</text>\n",
                    scale.right + 12, y + 5, escaped(line.name), line.figure());
        }
    }

    private static String place(Scale scale, int calls, double cost) {
        return String.format(Locale.ROOT, "%.1f %.1f", scale.x(calls), scale.y(cost));
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;");
    }

    private void add(String format, Object... arguments) {
        svg.append(String.format(Locale.ROOT, format, arguments));
    }
}
