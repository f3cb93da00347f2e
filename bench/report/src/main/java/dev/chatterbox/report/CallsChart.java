package dev.chatterbox.report;

import dev.chatterbox.results.Cell;
import dev.chatterbox.results.Estimate;
import dev.chatterbox.results.Numbers;
import dev.chatterbox.results.ResultsException;
import dev.chatterbox.transport.CallMode;
import dev.chatterbox.workloads.Dimension;
import dev.chatterbox.workloads.Workload;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * A picture of what a call costs over the number of calls per request, which needs no script; calls.jte draws it.
 * Each load has a panel, and each variant a line in it, with the band of its 99 % intervals. Both axes are logarithmic,
 * and a factor of ten is as long in each panel. The picture can be read on a light and on a dark page, and without
 * colours.
 *
 * @param least the cost at the bottom of each panel
 * @param most the cost at its top
 */
record CallsChart(Palette palette, List<Panel> panels, double least, double most) {

    static final int WIDTH = 860;
    static final int LEFT = 66;
    static final int TOP = 40;
    private static final int LEAST_BOTTOM = 340;
    private static final int BELOW = 64;

    /** Between the ends of the grid and the fewest and the most calls. */
    private static final int MARGIN = 14;
    /** The room for a letter of the names at the right of a panel, and for the gaps around a name. */
    private static final double LETTER = 8.2;

    private static final int GAPS = 34;
    private static final int LINE_HEIGHT = 17;

    static final List<String> DASHES = List.of("none", "7 4", "2 3", "11 4 2 4", "11 3 2 3 2 3");

    /** The marks that Palette names; the four shapes come filled, then open. */
    static final List<String> MARKS = List.of(
            "m-4.5 0a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0-9 0z",
            "m-4-4h8v8h-8z",
            "m0-5l5 9h-10z",
            "m0-5.5l5.5 5.5-5.5 5.5-5.5-5.5z");

    private static final Pattern COLOUR = Pattern.compile("--(?:panel|line|ink|muted|series-\\d): [^;]+;");
    private static final String CAVEAT = "†";

    /** @param workloads may differ in their calls and in their call mode */
    record Load(String title, List<Workload> workloads) {}

    record Point(int calls, Estimate cost) {}

    /** @param name the variant, with the call mode unless calls are single; a dagger says that a figure has a caveat */
    record Line(String variant, String name, List<Point> points) {

        Point last() {
            return points.get(points.size() - 1);
        }

        /** The figure at its right end. */
        String figure() {
            return Numbers.digits(last().cost.value());
        }
    }

    record Panel(String title, List<Line> lines) {

        /** The numbers of calls on its axis. */
        List<Integer> calls() {
            return lines.stream()
                    .flatMap(line -> line.points.stream())
                    .map(Point::calls)
                    .distinct()
                    .toList();
        }

        private double names() {
            IntStream lengths = lines.stream().mapToInt(line -> (line.name + " " + line.figure()).length());
            return GAPS + LETTER * lengths.max().orElseThrow();
        }

        /** How long the axis of calls is, in factors of ten. */
        private double decades() {
            return Math.log10((double) Collections.max(calls()) / Collections.min(calls()));
        }
    }

    /** Where a line's name is written. */
    record Label(Line line, double y) {}

    /**
     * A picture that stands for itself, with its own colours.
     *
     * @throws ResultsException a variant was not measured under any workload of a load
     */
    static String svg(MeasuredRun run, List<String> variants, List<Load> loads) {
        CallsChart chart = of(run, new Palette(variants), variants, loads);
        return Templates.render("calls.jte", Map.of("chart", chart, "colours", true));
    }

    /** The pictures of a run for its page, which has the colours: one for each load with several numbers of calls. */
    static List<CallsChart> all(MeasuredRun run) {
        return run.cells().stream()
                .filter(cell -> cell.valid() && cell.workload().mode() != CallMode.QUEUE)
                .filter(cell -> Double.isFinite(run.cost(cell).value()))
                .collect(Collectors.groupingBy(
                        cell -> cell.workload().with(Dimension.CALLS, 1), LinkedHashMap::new, Collectors.toList()))
                .values()
                .stream()
                .filter(cells -> cells.stream()
                                .map(cell -> cell.workload().calls())
                                .distinct()
                                .count()
                        > 1)
                .map(cells -> of(
                        run,
                        run.palette(),
                        cells.stream().map(Cell::variant).distinct().toList(),
                        List.of(new Load(
                                WorkloadText.withoutCalls(cells.get(0).workload()),
                                cells.stream().map(Cell::workload).distinct().toList()))))
                .toList();
    }

    private static CallsChart of(MeasuredRun run, Palette palette, List<String> variants, List<Load> loads) {
        List<Panel> panels =
                loads.stream().map(load -> panel(run, variants, load)).toList();
        DoubleSummaryStatistics costs = panels.stream()
                .flatMap(panel -> panel.lines.stream())
                .flatMap(line -> line.points.stream())
                .flatMapToDouble(point -> DoubleStream.of(point.cost.value(), point.cost.from(), point.cost.to()))
                .filter(Double::isFinite)
                .summaryStatistics();
        return new CallsChart(palette, panels, costs.getMin() / 1.15, costs.getMax() * 1.15);
    }

    private static Panel panel(MeasuredRun run, List<String> variants, Load load) {
        List<Line> lines = new ArrayList<>();
        for (String variant : variants) {
            Map<String, List<Cell>> cells = load.workloads.stream()
                    .sorted(Comparator.comparingInt(Workload::calls))
                    .flatMap(workload -> run.results().cell(variant, workload, null).stream())
                    .filter(cell -> Double.isFinite(run.cost(cell).value()))
                    .collect(Collectors.groupingBy(
                            cell -> mode(cell.workload()), LinkedHashMap::new, Collectors.toList()));
            if (cells.isEmpty()) {
                throw new ResultsException("names what was not measured: " + variant);
            }
            cells.forEach((mode, some) -> lines.add(line(run, variant, variant + mode, some)));
        }
        return new Panel(load.title, lines);
    }

    /** As it follows a variant's name. */
    private static String mode(Workload workload) {
        return workload.mode() == CallMode.UNARY ? "" : ", " + workload.mode().text();
    }

    private static Line line(MeasuredRun run, String variant, String name, List<Cell> cells) {
        boolean caveat = cells.stream().anyMatch(cell -> !cell.caveats().isEmpty());
        return new Line(
                variant,
                caveat ? name + CAVEAT : name,
                cells.stream()
                        .map(cell -> new Point(cell.workload().calls(), run.cost(cell)))
                        .toList());
    }

    boolean hasCaveats() {
        return panels.stream().flatMap(panel -> panel.lines.stream()).anyMatch(line -> line.name.endsWith(CAVEAT));
    }

    /** The colours of the report's pages, from its style sheet. */
    static String colours(String block) {
        String css = Templates.asset("report.css");
        int from = css.indexOf(block);
        return COLOUR.matcher(css.substring(from, css.indexOf('}', from)))
                .results()
                .map(MatchResult::group)
                .collect(Collectors.joining());
    }

    /** The costs at which each panel has a line: 1, 3, 10, 30 … */
    List<Double> grid() {
        return IntStream.rangeClosed((int) Math.ceil(2 * Math.log10(least)), (int) Math.floor(2 * Math.log10(most)))
                .mapToObj(half -> Math.pow(10, Math.floorDiv(half, 2)) * (half % 2 == 0 ? 1 : 3))
                .toList();
    }

    /** How long a factor of ten is on the axes of calls. */
    private double decade() {
        double names = panels.stream().mapToDouble(Panel::names).sum();
        double decades = panels.stream().mapToDouble(Panel::decades).sum();
        return (WIDTH - LEFT - names - panels.size() * 2 * MARGIN) / Math.max(1, decades);
    }

    double left(Panel panel) {
        int index = panels.indexOf(panel);
        return index == 0
                ? LEFT
                : right(panels.get(index - 1)) + panels.get(index - 1).names();
    }

    double right(Panel panel) {
        return left(panel) + 2 * MARGIN + panel.decades() * decade();
    }

    double x(Panel panel, int calls) {
        return left(panel) + MARGIN + Math.log10((double) calls / Collections.min(panel.calls())) * decade();
    }

    double y(double cost) {
        return bottom() - Math.log(cost / least) / Math.log(most / least) * (bottom() - TOP);
    }

    /** The bottom of the panels, below which the calls are written: there is room for the names of all lines. */
    int bottom() {
        int lines = panels.stream().mapToInt(panel -> panel.lines.size()).max().orElse(0);
        return Math.max(LEAST_BOTTOM, TOP + lines * LINE_HEIGHT);
    }

    int height() {
        return bottom() + BELOW;
    }

    static String at(double place) {
        return String.format(Locale.ROOT, "%.1f", place);
    }

    String path(Panel panel, List<Point> points, ToDoubleFunction<Estimate> cost) {
        return points.stream()
                .map(point -> at(x(panel, point.calls)) + " " + at(y(cost.applyAsDouble(point.cost))))
                .collect(Collectors.joining("L"));
    }

    /** Around the intervals of points, which all have one. */
    String band(Panel panel, List<Point> points) {
        List<Point> back = new ArrayList<>(points);
        Collections.reverse(back);
        return "M%sL%sz".formatted(path(panel, points, Estimate::to), path(panel, back, Estimate::from));
    }

    /** Each line's name is at its right end, moved where another one would cover it or where it would be too low. */
    List<Label> labels(Panel panel) {
        List<Label> labels = new ArrayList<>();
        double free = TOP;
        for (Line line : panel.lines.stream()
                .sorted(Comparator.comparingDouble(line -> -line.last().cost.value()))
                .toList()) {
            int below = panel.lines.size() - labels.size() - 1;
            double y = Math.min(Math.max(y(line.last().cost.value()), free), bottom() - below * LINE_HEIGHT);
            labels.add(new Label(line, y));
            free = y + LINE_HEIGHT;
        }
        return labels;
    }
}
