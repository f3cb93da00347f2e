package dev.chatterbox.report;

import java.util.List;
import tools.jackson.databind.JsonNode;

/** What the bare client library of a transport reaches, without Spring and Reactor. */
record RawLimit(String transport, boolean valid, JsonNode json) {

    static RawLimit of(JsonNode json) {
        return new RawLimit(Json.text(json, "/transport"), !Json.isFalse(json, "/valid"), json);
    }

    Figure figure(Metric metric) {
        double[] values = Json.children(json, "/rounds").stream()
                .filter(round -> !Json.isFalse(round, "/valid"))
                .mapToDouble(metric::of)
                .filter(Double::isFinite)
                .toArray();
        double median = metric.of(json.at("/median"));
        return new Figure(Double.isNaN(median) ? Figure.median(values) : median, values);
    }

    List<String> reasons() {
        List<String> reasons =
                Json.children(json, "/reasons").stream().map(Json::text).toList();
        return reasons.isEmpty() ? List.of("no reason was recorded") : reasons;
    }
}
