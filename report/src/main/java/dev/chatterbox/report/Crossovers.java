package dev.chatterbox.report;

import java.util.ArrayList;
import java.util.List;

/**
 * Where the lines of transports cross, one number of the load growing and the other fixed.
 *
 * <p>A crossing counts if the order before and after it are both more than chance. It is given as the two measured points
 * around it, and where straight lines on the doubly logarithmic chart meet.
 *
 * @param close those that cannot be told apart at the last point
 * @param judged whether all have rounds enough
 * @param tangled whether medians change places somewhere, be it within the noise
 */
record Crossovers(List<Crossing> crossings, List<Close> close, boolean judged, boolean tangled) {

    record Crossing(String overtaking, String overtaken, double from, double to, double near) {}

    /** Two that cannot be told apart at the right end of the chart. */
    record Close(String one, String other) {}

    /** @param xs ascending; {@code loads} are those of the same index */
    static Crossovers of(Results results, Metric metric, List<Load> loads, List<Integer> xs) {
        List<Crossing> crossings = new ArrayList<>();
        List<Close> close = new ArrayList<>();
        boolean judged = true;
        boolean tangled = false;
        List<String> names = results.transports();
        for (int i = 0; i < names.size(); i++) {
            for (int k = i + 1; k < names.size(); k++) {
                Points points = new Points(results, metric, names.get(i), names.get(k), loads, xs);
                points.crossings(crossings);
                if (points.closeAtTheEnd()) {
                    close.add(new Close(names.get(i), names.get(k)));
                }
                judged &= points.judged();
                tangled |= points.tangled();
            }
        }
        return new Crossovers(crossings, close, judged, tangled);
    }

    /** Two lines. */
    private static final class Points {

        private final Metric metric;
        private final String one;
        private final String other;
        private final List<Integer> xs = new ArrayList<>();
        private final List<Figure> ones = new ArrayList<>();
        private final List<Figure> others = new ArrayList<>();

        Points(Results results, Metric metric, String one, String other, List<Load> loads, List<Integer> xs) {
            this.metric = metric;
            this.one = one;
            this.other = other;
            for (int i = 0; i < loads.size(); i++) {
                Figure a = figure(results, metric, one, loads.get(i));
                Figure b = figure(results, metric, other, loads.get(i));
                if (a.exists() && b.exists()) {
                    this.xs.add(xs.get(i));
                    ones.add(a);
                    others.add(b);
                }
            }
        }

        private static Figure figure(Results results, Metric metric, String transport, Load load) {
            return results.cell(transport, load)
                    .filter(Cell::valid)
                    .map(cell -> cell.figure(metric))
                    .orElse(new Figure(Double.NaN, new double[0]));
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

        boolean tangled() {
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
