package dev.chatterbox.cli.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
        Map<String, List<String>> rounds = new LinkedHashMap<>();
        for (Round round : this.rounds) {
            for (String reason : round.reasons()) {
                rounds.computeIfAbsent(reason, r -> new ArrayList<>()).add(Integer.toString(round.number()));
            }
            if (!round.valid() && round.reasons().isEmpty()) {
                rounds.computeIfAbsent("no reason was recorded", r -> new ArrayList<>())
                        .add(Integer.toString(round.number()));
            }
        }
        if (rounds.isEmpty()) {
            return List.of(this.rounds.isEmpty() ? "no round was measured" : "no reason was recorded");
        }
        return rounds.entrySet().stream()
                .map(entry -> "%s (round %s)".formatted(entry.getKey(), Format.list(entry.getValue())))
                .toList();
    }

    /** Requests per second that were to arrive; NaN in the closed model. */
    double arrivals() {
        return Json.number(json, "/rate");
    }
}
