package dev.chatterbox.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;

/** A transport under one load. */
record Cell(String transport, Load load, boolean valid, List<Round> rounds, JsonNode json) {

    static Cell of(JsonNode json) {
        List<Round> rounds = new ArrayList<>();
        for (JsonNode round : Json.children(json, "/rounds")) {
            rounds.add(Round.of(round, rounds.size() + 1));
        }
        return new Cell(
                Json.text(json, "/transport"), Load.of(json), !Json.isFalse(json, "/valid"), List.copyOf(rounds), json);
    }

    /** The median as it was written and the valid rounds. */
    Figure figure(Metric metric) {
        double[] values = rounds.stream()
                .filter(Round::valid)
                .mapToDouble(round -> metric.of(round.json()))
                .filter(Double::isFinite)
                .toArray();
        double median = metric.of(json.at("/median"));
        return new Figure(Double.isNaN(median) ? Figure.median(values) : median, values);
    }

    /** A number of {@code median}; NaN if there is none. */
    double median(String pointer) {
        return Json.number(json, "/median" + pointer);
    }

    /** Why the cell is not valid: each reason once, with its rounds. */
    List<String> reasons() {
        List<String> reasons = words(round ->
                round.valid() || !round.reasons().isEmpty() ? round.reasons() : List.of("no reason was recorded"));
        return reasons.isEmpty()
                ? List.of(rounds.isEmpty() ? "no round was measured" : "no reason was recorded")
                : reasons;
    }

    /** What makes a valid round less trustworthy: each warning once, with its rounds. */
    List<String> warnings() {
        return words(round -> Json.children(round.json(), "/warnings").stream()
                .map(Json::text)
                .toList());
    }

    private List<String> words(Function<Round, List<String>> ofRound) {
        Map<String, List<String>> numbers = new LinkedHashMap<>();
        for (Round round : rounds) {
            for (String word : ofRound.apply(round)) {
                numbers.computeIfAbsent(word, w -> new ArrayList<>()).add(Integer.toString(round.number()));
            }
        }
        return numbers.entrySet().stream()
                .map(entry -> "%s (round%s %s)"
                        .formatted(
                                entry.getKey(), entry.getValue().size() == 1 ? "" : "s", Format.list(entry.getValue())))
                .toList();
    }

    /** Requests per second that were to arrive; NaN in the closed model. */
    double arrivals() {
        return Json.number(json, "/rate");
    }
}
