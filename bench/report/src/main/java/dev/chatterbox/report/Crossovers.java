package dev.chatterbox.report;

import dev.chatterbox.workloads.Workload;
import java.util.ArrayList;
import java.util.List;

/**
 * Where the lines of rows cross, one number of the workload growing and all others fixed.
 *
 * <p>A crossing counts if the order before and after it are both more than chance. It is given as the two measured
 * points around it, and where straight lines on the doubly logarithmic chart meet.
 *
 * @param close those that cannot be told apart at the last point
 * @param judged whether all have rounds enough
 * @param meeting whether medians change their order somewhere, be it within the noise
 */
record Crossovers(List<Crossing> crossings, List<Close> close, boolean judged, boolean meeting) {

    record Crossing(String overtaking, String overtaken, long from, long to, double near) {}

    /** Two that cannot be told apart at the right end of the chart. */
    record Close(String one, String other) {}

    static Crossovers of(MeasuredRun run, Metric metric, Axis.AxisLine line) {
        List<Crossing> crossings = new ArrayList<>();
        List<Close> close = new ArrayList<>();
        boolean judged = true;
        boolean meeting = false;
        List<String> names = run.rows();
        for (int i = 0; i < names.size(); i++) {
            for (int k = i + 1; k < names.size(); k++) {
                Points points = new Points(run, metric, names.get(i), names.get(k), line);
                points.crossings(crossings);
                if (points.closeAtTheEnd()) {
                    close.add(new Close(names.get(i), names.get(k)));
                }
                judged &= points.judged();
                meeting |= points.meeting();
            }
        }
        return new Crossovers(crossings, close, judged, meeting);
    }

    /** Two lines. */
    private static final class Points {

        private final Metric metric;
        private final String one;
        private final String other;
        private final List<Long> xs = new ArrayList<>();
        private final List<Figure> ones = new ArrayList<>();
        private final List<Figure> others = new ArrayList<>();

        Points(MeasuredRun run, Metric metric, String one, String other, Axis.AxisLine line) {
            this.metric = metric;
            this.one = one;
            this.other = other;
            for (Workload workload : line.workloads()) {
                Figure a = figure(run, metric, one, workload);
                Figure b = figure(run, metric, other, workload);
                if (a.exists() && b.exists()) {
                    xs.add(line.axis().number(workload));
                    ones.add(a);
                    others.add(b);
                }
            }
        }

        private static Figure figure(MeasuredRun run, Metric metric, String row, Workload workload) {
            return run.cell(row, workload)
                    .filter(cell -> cell.valid() && metric.notRanked(cell).isEmpty())
                    .map(metric::of)
                    .orElse(Figure.NONE);
        }

        boolean judged() {
            for (int i = 0; i < xs.size(); i++) {
                if (!Noise.judged(ones.get(i), others.get(i))) {
                    return false;
                }
            }
            return true;
        }

        /** 1 if the first is better at a point, -1 if the second is, 0 if they are too close. */
        private int order(int i) {
            if (judged() && Noise.tooClose(ones.get(i), others.get(i))) {
                return 0;
            }
            return metric.better(ones.get(i).median(), others.get(i).median()) ? 1 : -1;
        }

        void crossings(List<Crossing> crossings) {
            int last = -1;
            for (int i = 0; i < xs.size(); i++) {
                if (order(i) == 0) {
                    continue;
                }
                if (last >= 0 && order(last) != order(i)) {
                    crossings.add(new Crossing(
                            order(i) > 0 ? one : other,
                            order(i) > 0 ? other : one,
                            xs.get(last),
                            xs.get(i),
                            near(last, i)));
                }
                last = i;
            }
        }

        /** The last meeting of the two lines between two points. */
        private double near(int from, int to) {
            for (int i = to; i > from; i--) {
                double before = distance(i - 1);
                double after = distance(i);
                if (before == 0) {
                    return xs.get(i - 1);
                }
                if (before * after < 0) {
                    double share = before / (before - after);
                    return Math.exp(Math.log(xs.get(i - 1)) + share * (Math.log(xs.get(i)) - Math.log(xs.get(i - 1))));
                }
            }
            return Math.sqrt((double) xs.get(from) * xs.get(to));
        }

        boolean meeting() {
            for (int i = 1; i < xs.size(); i++) {
                if (distance(i - 1) * distance(i) < 0) {
                    return true;
                }
            }
            return false;
        }

        private double distance(int i) {
            return Math.log(ones.get(i).median() / others.get(i).median());
        }

        boolean closeAtTheEnd() {
            return xs.size() > 1 && order(xs.size() - 1) == 0;
        }
    }
}
