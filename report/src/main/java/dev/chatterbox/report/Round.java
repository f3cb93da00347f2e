package dev.chatterbox.report;

import java.util.List;
import tools.jackson.databind.JsonNode;

/** One measured window of a cell. */
record Round(int number, boolean valid, List<String> reasons, JsonNode json) {

    static Round of(JsonNode json, int position) {
        double number = Json.number(json, "/round");
        return new Round(
                Double.isNaN(number) ? position : (int) number,
                !Json.isFalse(json, "/valid"),
                Json.children(json, "/reasons").stream().map(Json::text).toList(),
                json);
    }
}
