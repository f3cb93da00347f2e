package dev.chatterbox.load;

import static dev.chatterbox.load.SettingsException.require;

import java.util.List;

/**
 * When a step is warm: the last {@code windows} windows' throughput lies within {@code tolerance} of their mean, after
 * {@code minSeconds} at the earliest; and after {@code maxSeconds} it is measured as it is.
 *
 * @param tolerance 0.05 is 5 %; a difference of one request is always tolerated, or no slow step would ever be stable
 */
record WarmUpRule(double windowSeconds, double tolerance, int windows, double minSeconds, double maxSeconds) {

    WarmUpRule {
        require(
                windowSeconds >= 0.1 && windowSeconds <= 60,
                "warmUp.windowSeconds must be from 0.1 to 60; it is %s",
                windowSeconds);
        require(tolerance > 0 && tolerance <= 1, "warmUp.tolerance must be above 0 and at most 1; it is %s", tolerance);
        require(windows >= 1 && windows <= 100, "warmUp.windows must be from 1 to 100; it is %d", windows);
        require(minSeconds >= 0, "warmUp.minSeconds must not be negative; it is %s", minSeconds);
        require(
                maxSeconds >= minSeconds && maxSeconds <= 3600,
                "warmUp.maxSeconds must be from minSeconds (%s) to 3600; it is %s",
                minSeconds,
                maxSeconds);
    }

    /** A warm-up of one length, stable or not. */
    static WarmUpRule of(double seconds) {
        return new WarmUpRule(Math.min(1, Math.max(0.1, seconds)), 0.05, 3, seconds, seconds);
    }

    boolean isFixed() {
        return minSeconds == maxSeconds;
    }

    /**
     * A rule of one window asks nothing of it: of long requests, none may end in it.
     *
     * @param rates requests a second in each window so far
     */
    boolean isStable(List<Double> rates) {
        if (rates.size() < windows) {
            return false;
        }
        if (windows == 1) {
            return true;
        }
        List<Double> last = rates.subList(rates.size() - windows, rates.size());
        double mean = last.stream().mapToDouble(Double::doubleValue).average().orElse(0);
        double oneRequest = 1 / windowSeconds;
        return mean > 0
                && last.stream().allMatch(rate -> Math.abs(rate - mean) <= Math.max(tolerance * mean, oneRequest));
    }

    /** Whether to measure now, or to add another window. */
    boolean isOver(double elapsedSeconds, List<Double> rates) {
        return elapsedSeconds + windowSeconds > maxSeconds || elapsedSeconds >= minSeconds && isStable(rates);
    }

    /**
     * So many windows in the open model, as its throughput is the rate it is given, whether warm or not, and Gatling
     * must be told beforehand how long users arrive.
     */
    int openWindows() {
        return Math.max(windows, (int) Math.ceil(minSeconds / windowSeconds));
    }
}
