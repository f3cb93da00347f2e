package dev.chatterbox.comparison;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Decides whether a round counts. A request that failed, also in the warm-up, makes it invalid, for then the system was not
 * doing what is compared.
 */
final class Gates {

    /** Of the target; less is a load that the generator could not offer. */
    private static final double RATE_REACHED = 0.98;

    /** Of all processors. What the kernel does for no process in particular is a few percent. */
    private static final double OTHER_LOAD = 0.10;

    private static final int FEW = 200;

    private Gates() {}

    /**
     * @param cell what the generator tells of it
     * @param window what was counted in its measured window; null if the services could not be asked
     * @param fault what the responder does wrong on demand; null if nothing
     */
    static List<String> reasons(JsonNode cell, @Nullable Reading window, @Nullable String fault) {
        List<String> reasons = new ArrayList<>();
        if (fault != null) {
            reasons.add("the responder fails on demand: " + fault);
        }
        reasons.addAll(failed(cell));
        if (window == null) {
            reasons.add("the services' own figures could not be read");
        } else if (window.callsOf(Reading.OK) <= 0) {
            reasons.add("no call ended well in the window");
        }
        return reasons;
    }

    /** @param cell what the generator tells of it */
    static List<String> failed(JsonNode cell) {
        long failed = cell.path("totalFailed").asLong(cell.path("failed").asLong(0));
        return failed == 0
                ? List.of()
                : List.of("%d %s failed (%s)"
                        .formatted(
                                failed, failed == 1 ? "request" : "requests", words(failures(cell, "totalFailures"))));
    }

    /**
     * Compares the counts of one cell.
     *
     * @param requests that the generator found right, warm-up and drain included, times their calls
     * @param failed requests: how many calls were made for those is unknown, so they have no count to agree with
     * @param counted over the same time; null if the services could not be asked
     */
    static List<String> counts(long requests, long failed, @Nullable Reading counted) {
        if (counted == null) {
            return List.of("the services' own counts could not be read");
        }
        List<String> reasons = new ArrayList<>();
        new TreeMap<>(counted.outcomes()).forEach((outcome, count) -> {
            if (count > 0 && !outcome.equals(Reading.OK)) {
                reasons.add("%s: %s".formatted(calls(count), outcome));
            }
        });
        if (counted.unmatched() > 0) {
            reasons.add("%.0f replies came late, twice or for no call".formatted(counted.unmatched()));
        }
        if (failed == 0 && counted.calls() != requests) {
            reasons.add(
                    "%.0f calls by the aggregator's count, %d by the generator's".formatted(counted.calls(), requests));
        }
        if (counted.squares() != counted.calls()) {
            reasons.add("%.0f requests reached the responder, but the aggregator counted %s"
                    .formatted(counted.squares(), calls(counted.calls())));
        }
        return reasons;
    }

    static List<String> warnings(Cell cell, JsonNode result, @Nullable Double otherLoad) {
        List<String> warnings = new ArrayList<>();
        Double target = cell.rate();
        if (target != null && result.path("rate").asDouble(0) < RATE_REACHED * target) {
            warnings.add("%s requests per second were started, %s were meant to be"
                    .formatted(Format.short3(result.path("rate").asDouble(0)), Format.short3(target)));
        }
        long requests = result.path("requests").asLong(0);
        // Users that began together end together: the throughput of few requests comes in bursts, warm or not. And of
        // less than two hundred, the 99th percentile is one of the two longest.
        boolean few = requests < Math.max(FEW, 2 * (cell.users() == null ? 0 : cell.users()));
        if (few) {
            warnings.add("few requests ended in the window (%d), so their latencies are rough".formatted(requests));
        } else if (!result.path("warmUp").path("stable").asBoolean(true)) {
            warnings.add("the throughput was not yet stable when the warm-up's time was up");
        }
        if (otherLoad != null && otherLoad > OTHER_LOAD) {
            warnings.add("other programs took %s of the processors".formatted(Format.percent(otherLoad)));
        }
        return warnings;
    }

    static Map<String, Long> failures(JsonNode cell, String name) {
        Map<String, Long> failures = new TreeMap<>();
        cell.path(name)
                .properties()
                .forEach(kind -> failures.put(kind.getKey(), kind.getValue().asLong(0)));
        return failures;
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
