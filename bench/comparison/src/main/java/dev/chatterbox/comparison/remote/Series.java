package dev.chatterbox.comparison.remote;

import dev.chatterbox.results.Quantile;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The samples of one counter of one process, in order of time.
 *
 * @param labels as Prometheus has them
 * @param points at least one
 */
public record Series(Map<String, String> labels, List<Point> points) {

    /** If a cached counter's changes are used, the first and the last lie at most so many of its refreshs from the ends. */
    private static final double REFRESHS = 2;

    /** @param seconds since 1970 */
    public record Point(double seconds, double value) {}

    public Point first() {
        return points.get(0);
    }

    public Point last() {
        return points.get(points.size() - 1);
    }

    /** Whether the counter began anew, as it does when its process is replaced. */
    public boolean isReset() {
        for (int i = 1; i < points.size(); i++) {
            if (points.get(i).value < points.get(i - 1).value) {
                return true;
            }
        }
        return false;
    }

    /**
     * The first and the last sample between which the counter's growth is known; empty with fewer than two samples. An
     * exporter may refresh a counter less often than it is asked for it; then these are samples in which it had changed,
     * because the others are older than they say.
     */
    Optional<Series> span() {
        List<Point> fresh = changed();
        double refresh = distance(fresh);
        boolean whole = fresh.size() > 2
                && fresh.get(0).seconds - first().seconds <= REFRESHS * refresh
                && last().seconds - fresh.get(fresh.size() - 1).seconds <= REFRESHS * refresh;
        List<Point> used = whole ? fresh : points;
        return used.size() < 2
                ? Optional.empty()
                : Optional.of(new Series(labels, List.of(used.get(0), used.get(used.size() - 1))));
    }

    /** The samples from a time on. */
    Series since(double seconds) {
        return new Series(
                labels,
                points.stream().filter(point -> point.seconds >= seconds).toList());
    }

    /** The counter at a time, on the straight line between the two samples around it, or beyond the last two. */
    double at(double seconds) {
        int after = 1;
        while (after < points.size() - 1 && points.get(after).seconds < seconds) {
            after++;
        }
        if (points.size() < 2) {
            return first().value;
        }
        Point a = points.get(after - 1);
        Point b = points.get(after);
        return a.value + (b.value - a.value) * (seconds - a.seconds) / (b.seconds - a.seconds);
    }

    /** The median time between two samples; 0 with fewer than two. */
    double interval() {
        return distance(points);
    }

    /** The median time between two samples in which the counter had changed; 0 with fewer than three of them. */
    double refresh() {
        List<Point> fresh = changed();
        return fresh.size() < 3 ? 0 : distance(fresh);
    }

    private static double distance(List<Point> points) {
        List<Double> distances = new ArrayList<>();
        for (int i = 1; i < points.size(); i++) {
            distances.add(points.get(i).seconds - points.get(i - 1).seconds);
        }
        return distances.isEmpty() ? 0 : Quantile.of(0.5, distances.stream().mapToDouble(Double::doubleValue));
    }

    private List<Point> changed() {
        List<Point> changed = new ArrayList<>();
        for (int i = 1; i < points.size(); i++) {
            if (points.get(i).value != points.get(i - 1).value) {
                changed.add(points.get(i));
            }
        }
        return changed;
    }
}
