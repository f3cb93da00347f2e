package dev.chatterbox.resilience;

import dev.chatterbox.resilience.BacklogResult.Phase;
import dev.chatterbox.resilience.BacklogResult.Progress;
import dev.chatterbox.resilience.BacklogResult.Sample;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * A backlog over time as a drawing: messages that wait, messages a second, and what the broker holds, one panel below the
 * other, with a line at the end of each phase. It is readable on a light and on a dark page, and without colours.
 */
final class BacklogPicture {

    private static final int WIDTH = 720;
    private static final int LEFT = 84;
    private static final int RIGHT = 600;
    private static final int HEIGHT = 110;
    private static final int TOP = 56;
    private static final int PANEL = 150;
    private static final double MEGABYTE = 1 << 20;

    private final StringBuilder svg = new StringBuilder();
    private final BacklogResult result;
    private final double end;

    private record Point(double seconds, double value) {}

    /** @param dashed in place of a second colour */
    private record Line(String name, boolean dashed, List<Point> points) {}

    private BacklogPicture(BacklogResult result) {
        this.result = result;
        end = Math.max(1, result.phases().stream().mapToDouble(Phase::seconds).sum());
    }

    static String svg(BacklogResult result) {
        BacklogPicture picture = new BacklogPicture(result);
        picture.draw();
        return picture.svg.toString();
    }

    private void draw() {
        add("""
                <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" role="img" aria-label="A backlog of %s over time">
                <style>
                svg{color:#1b1f24;font:13px system-ui,sans-serif}text{fill:currentColor}
                path{fill:none;stroke:#0072b2;stroke-width:2}.dashed{stroke:#d55e00;stroke-dasharray:6 4}
                .rule{stroke:currentColor;opacity:.25}.phase{stroke:currentColor;opacity:.6;stroke-dasharray:2 3}
                @media(prefers-color-scheme:dark){svg{color:#e6e6e6}path{stroke:#56b4e9}.dashed{stroke:#e69f00}}
                </style>
                <text x="8" y="18">%s, %s messages a second, consumers held for %.0f s</text>
                """, WIDTH, TOP + 3 * PANEL, result.row(), result.row(), whole(result.rate()), held());
        List<Progress> progress = result.progress();
        panel(0, "messages waiting", List.of(new Line("", false, points(progress, Progress::waiting))));
        panel(
                1,
                "messages/s",
                List.of(rate("published", false, Progress::published), rate("received", true, Progress::received)));
        panel(2, "MB of the broker", List.of(held("memory", false, Sample::memory), held("disk", true, Sample::disk)));
        phases();
        add("<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%.0f s</text>\n</svg>\n", RIGHT, TOP + 3 * PANEL - 8, end);
    }

    private double held() {
        return result.phases().isEmpty() ? 0 : result.phases().get(0).seconds();
    }

    /** A figure of an aggregator's sample, or of the broker's. */
    @FunctionalInterface
    private interface Figure<T> {
        double of(T sample);
    }

    private static List<Point> points(List<Progress> progress, Figure<Progress> figure) {
        return progress.stream()
                .map(sample -> new Point(sample.seconds(), figure.of(sample)))
                .toList();
    }

    /** The growth of a count from sample to sample. */
    private Line rate(String name, boolean dashed, Figure<Progress> count) {
        List<Progress> progress = result.progress();
        List<Point> points = new ArrayList<>();
        for (int i = 1; i < progress.size(); i++) {
            Progress before = progress.get(i - 1);
            Progress after = progress.get(i);
            double seconds = after.seconds() - before.seconds();
            points.add(new Point(after.seconds(), (count.of(after) - count.of(before)) / seconds));
        }
        return new Line(name, dashed, points);
    }

    /** Its samples begin when the run is asked for, and end with it. */
    private Line held(String name, boolean dashed, Figure<Sample> bytes) {
        List<Sample> samples = result.samples();
        double late = samples.isEmpty()
                ? 0
                : Math.max(0, samples.get(samples.size() - 1).seconds() - end);
        return new Line(
                name,
                dashed,
                samples.stream()
                        .map(sample -> new Point(Math.max(0, sample.seconds() - late), bytes.of(sample) / MEGABYTE))
                        .toList());
    }

    private void panel(int place, String title, List<Line> lines) {
        double bottom = TOP + place * PANEL + HEIGHT;
        double most = Math.max(
                1,
                lines.stream()
                        .flatMap(line -> line.points.stream())
                        .mapToDouble(Point::value)
                        .max()
                        .orElse(1));
        add("<text x=\"%d\" y=\"%.0f\">%s</text>\n", LEFT, bottom - HEIGHT - 8, title);
        for (double part : new double[] {0, 0.5, 1}) {
            double y = bottom - part * HEIGHT;
            add("<line class=\"rule\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%3$.1f\"/>", LEFT, RIGHT, y);
            add("<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>\n", LEFT - 6, y + 4, whole(part * most));
        }
        double label = bottom - HEIGHT + 12;
        for (Line line : lines) {
            String path = line.points.stream()
                    .map(point -> String.format(
                            Locale.ROOT, "%.1f %.1f", x(point.seconds), bottom - point.value / most * HEIGHT))
                    .collect(Collectors.joining("L"));
            String kind = line.dashed ? " class=\"dashed\"" : "";
            if (!path.isEmpty()) {
                add("<path%s d=\"M%s\"/>", kind, path);
            }
            if (!line.name.isEmpty()) {
                add("<path%s d=\"M%d %.1fh24\"/>", kind, RIGHT + 8, label - 4);
                add("<text x=\"%d\" y=\"%.1f\">%s</text>\n", RIGHT + 38, label, line.name);
            }
            label += 18;
        }
    }

    private void phases() {
        double from = 0;
        for (Phase phase : result.phases()) {
            double to = from + phase.seconds();
            add(
                    "<text x=\"%.1f\" y=\"36\" text-anchor=\"middle\" opacity=\".75\">%s</text>",
                    x((from + to) / 2), phase.name());
            add(
                    "<line class=\"phase\" x1=\"%.1f\" x2=\"%1$.1f\" y1=\"%d\" y2=\"%d\"/>\n",
                    x(to), 40, TOP + 3 * PANEL - 40);
            from = to;
        }
    }

    private double x(double seconds) {
        return LEFT + Math.min(1, seconds / end) * (RIGHT - LEFT);
    }

    private static String whole(double number) {
        return String.format(Locale.ROOT, "%,.0f", number);
    }

    private void add(String format, Object... arguments) {
        svg.append(String.format(Locale.ROOT, format, arguments));
    }
}
