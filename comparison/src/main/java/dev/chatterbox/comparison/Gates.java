package dev.chatterbox.comparison;

import dev.chatterbox.workloads.Load;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a round counts. A request that failed, also in the warm-up, makes it invalid, for then the system was not
 * doing what is compared. Reasons name figures; warnings do not, so that those of several rounds can be told once: their
 * figures are fields of the round.
 */
final class Gates {

    /** The part of the rate that must be reached; less is a load that the generator could not offer. */
    private static final double RATE_REACHED = 0.98;

    /** The part of all processors above which other programs are in the way; the kernel's own work is a few percent. */
    private static final double OTHER_LOAD = 0.10;

    private static final int FEW = 200;

    private Gates() {}

    /** @param window what was counted in the measured window; null if the services could not be asked */
    static List<String> reasons(GeneratorFigures figures, @Nullable Reading window) {
        List<String> reasons = new ArrayList<>(failed(figures));
        if (window == null) {
            reasons.add("the services' own figures could not be read");
        } else if (window.aggregator().callsOf(AggregatorReading.OK) <= 0) {
            reasons.add("no call ended well in the window");
        }
        return reasons;
    }

    /**
     * A responder that fails on demand makes the round invalid.
     *
     * @param begin what it told where the window began; null if it was not asked or did not answer
     * @param end likewise where the window ended
     */
    static List<String> faults(@Nullable ResponderReading begin, @Nullable ResponderReading end) {
        String first = begin == null ? "" : begin.faultText();
        String last = end == null ? "" : end.faultText();
        if (first.equals(last)) {
            return fault(first, "begin and end");
        }
        List<String> reasons = new ArrayList<>(fault(first, "begin"));
        reasons.addAll(fault(last, "end"));
        return reasons;
    }

    private static List<String> fault(String text, String edge) {
        return text.isEmpty()
                ? List.of()
                : List.of("the responder fails on demand: %s at the window's %s".formatted(text, edge));
    }

    static List<String> failed(GeneratorFigures figures) {
        long failed = figures.totalFailed();
        return failed == 0
                ? List.of()
                : List.of("%d %s failed (%s)"
                        .formatted(failed, failed == 1 ? "request" : "requests", words(figures.totalFailures())));
    }

    /**
     * Compares the counts of one cell.
     *
     * @param calls the requests that the generator found right, warm-up and drain included, times their calls
     * @param failed requests: how many calls were made for those is unknown, so they have no count to agree with
     * @param counted over the same time; null if the services could not be asked
     */
    static List<String> counts(long calls, long failed, @Nullable Reading counted) {
        if (counted == null) {
            return List.of("the services' own counts could not be read");
        }
        AggregatorReading aggregator = counted.aggregator();
        List<String> reasons = new ArrayList<>();
        aggregator.outcomes().forEach((outcome, count) -> {
            if (count > 0 && !outcome.equals(AggregatorReading.OK)) {
                reasons.add("%s: %s".formatted(calls(count), outcome));
            }
        });
        if (aggregator.unmatched() > 0) {
            reasons.add("%.0f replies came late, twice or for no call".formatted(aggregator.unmatched()));
        }
        if (failed == 0 && aggregator.calls() != calls) {
            reasons.add(
                    "%.0f calls by the aggregator's count, %d by the generator's".formatted(aggregator.calls(), calls));
        }
        ResponderReading responder = counted.responder();
        if (responder != null && responder.squares() != aggregator.calls()) {
            reasons.add("%.0f requests reached the responder, but the aggregator counted %s"
                    .formatted(responder.squares(), calls(aggregator.calls())));
        }
        return reasons;
    }

    static List<String> warnings(CellPlan cell, GeneratorFigures figures, @Nullable Double otherLoad) {
        List<String> warnings = new ArrayList<>();
        double started = figures.rate() == null ? 0 : figures.rate();
        if (cell.arrivalRate() != null && started < RATE_REACHED * cell.arrivalRate()) {
            warnings.add("fewer requests per second were started than were meant to be");
        }
        // Users that began together end together: the throughput of few requests comes in bursts, warm or not. And of
        // less than two hundred, the 99th percentile is one of the two longest.
        int users = cell.workload().load() instanceof Load.Users closed ? closed.count() : 0;
        if (figures.requests() < Math.max(FEW, 2 * users)) {
            warnings.add("few requests ended in the window, so their latencies are rough");
        } else if (!figures.warmUp().stable()) {
            warnings.add("the throughput was not yet stable when the warm-up's time was up");
        }
        if (otherLoad != null && otherLoad > OTHER_LOAD) {
            warnings.add("other programs took more than 10% of the processors");
        }
        return warnings;
    }

    private static String words(Map<String, Long> failures) {
        return failures.isEmpty()
                ? "no kind told"
                : String.join(
                        ", ",
                        failures.entrySet().stream()
                                .map(kind -> kind.getKey() + ": " + kind.getValue())
                                .toList());
    }

    private static String calls(double count) {
        return count == 1 ? "1 call" : "%.0f calls".formatted(count);
    }
}
