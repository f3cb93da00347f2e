package dev.chatterbox.comparison.remote;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * The samples of one counter of one process, in order of time.
 *
 * @param labels as Prometheus has them
 */
public record Series(Map<String, String> labels, List<Point> points) {

    /** @param seconds since 1970 */
    public record Point(double seconds, double value) {}

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
     * How much the counter grew in a second, from its first to its last sample. An exporter may refresh a counter less
     * often than it is asked for it; so where a counter changes at all, only those samples count in which it has changed.
     * Empty with fewer than two samples.
     */
    public OptionalDouble rate() {
        List<Point> fresh = fresh();
        List<Point> used = fresh.size() < 2 ? points : fresh;
        if (used.size() < 2) {
            return OptionalDouble.empty();
        }
        Point first = used.get(0);
        Point last = used.get(used.size() - 1);
        return OptionalDouble.of((last.value - first.value) / (last.seconds - first.seconds));
    }

    /** The longest time between two samples in which the counter has changed; 0 if it has changed less than twice. */
    public double longestGap() {
        List<Point> fresh = fresh();
        double longest = 0;
        for (int i = 1; i < fresh.size(); i++) {
            longest = Math.max(longest, fresh.get(i).seconds - fresh.get(i - 1).seconds);
        }
        return longest;
    }

    private List<Point> fresh() {
        List<Point> fresh = new ArrayList<>();
        for (int i = 1; i < points.size(); i++) {
            if (points.get(i).value != points.get(i - 1).value) {
                fresh.add(points.get(i));
            }
        }
        return fresh;
    }
}
