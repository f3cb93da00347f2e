package dev.chatterbox.report;

import java.util.List;
import tools.jackson.databind.JsonNode;

/** What is compared. */
enum Metric {
    /** CPU-microseconds (user and system) per correct call, of all processes, the load generator's too. */
    CPU("CPU per call", false, 0.10, "") {
        @Override
        double of(JsonNode measured) {
            double total = Json.number(measured, "/cpu/total");
            if (!Double.isNaN(total)) {
                return total;
            }
            // Rounds have no total. A part that could not be measured leaves none, for a smaller one would be wrong.
            List<JsonNode> parts = Json.children(measured, "/cpu");
            return parts.isEmpty() || !parts.stream().allMatch(JsonNode::isNumber)
                    ? Double.NaN
                    : parts.stream().mapToDouble(JsonNode::doubleValue).sum();
        }

        @Override
        String text(double value) {
            return Format.micros(value);
        }
    },
    CALLS("calls/s", true, 0.10, "/callsPerSecond"),
    REQUESTS("requests/s", true, 0.10, "/requestsPerSecond"),
    REQUEST_P99("p99 of requests", false, 0.25, "/requestLatency/p99") {
        @Override
        String text(double value) {
            return Format.seconds(value);
        }
    },
    CALL_P99("p99 of calls", false, 0.25, "/callLatency/p99") {
        @Override
        String text(double value) {
            return Format.seconds(value);
        }
    };

    private final String title;
    private final boolean moreIsBetter;
    private final double floorBetweenRuns;
    private final String pointer;

    Metric(String title, boolean moreIsBetter, double floorBetweenRuns, String pointer) {
        this.title = title;
        this.moreIsBetter = moreIsBetter;
        this.floorBetweenRuns = floorBetweenRuns;
        this.pointer = pointer;
    }

    /** In a round or a median; NaN if it is not there. */
    double of(JsonNode measured) {
        return Json.number(measured, pointer);
    }

    String text(double value) {
        return Format.rate(value) + "/s";
    }

    String title() {
        return title;
    }

    double floorBetweenRuns() {
        return floorBetweenRuns;
    }

    boolean better(double value, double than) {
        return moreIsBetter ? value > than : value < than;
    }
}
