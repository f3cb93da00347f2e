package dev.chatterbox.results;

import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.BooleanNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Turns a file of the first schema into one of the second. A dimension that it does not know has its old meaning:
 * unary, no payload, no distance.
 */
final class SchemaOne {

    static final String SCHEMA = "chatterbox-results/1";

    private static final List<String> WINDOW = List.of(
            "seconds",
            "requests",
            "failed",
            "failures",
            "calls",
            "callOutcomes",
            "unmatchedReplies",
            "warmUp",
            "rate",
            "otherLoad");

    private SchemaOne() {}

    static JsonNode upgrade(ObjectNode results) {
        results.findParents("transport").forEach(part -> ((ObjectNode) part).putIfAbsent("valid", BooleanNode.TRUE));
        JsonNode settings = results.at("/environment/settings");
        if (settings instanceof ObjectNode object) {
            setIfPresent(object, "rows", object.path("transports"));
            object.remove("transports");
        }
        results.path("cells").values().forEach(cell -> cell((ObjectNode) cell));
        results.path("rawLimits").values().forEach(limit -> rawLimit((ObjectNode) limit));
        return results;
    }

    private static void cell(ObjectNode cell) {
        cell.put("row", cell.path("transport").asString(""));
        boolean open = cell.path("model").asString("closed").equals("open");
        String load = !open
                ? "users=" + cell.path("users").asInt(0)
                : cell.path("load").isNumber()
                        ? "rate=" + percent(cell.path("load").doubleValue()) + "%"
                        : "rate=" + cell.path("rate").asDouble(0);
        cell.put("workload", "unary calls=%d %s".formatted(cell.path("calls").asInt(0), load));
        if (open) {
            setIfPresent(cell, "arrivalRate", cell.path("rate"));
        }
        cell.path("rounds").values().forEach(round -> round((ObjectNode) round));
        withoutTotal(cell.path("median"));
    }

    /** Without the error of a share that was kept as a binary fraction. */
    private static String percent(double share) {
        double percent = Math.round(share * 1e6) / 1e4;
        return percent == Math.rint(percent) ? Long.toString((long) percent) : Double.toString(percent);
    }

    private static void round(ObjectNode round) {
        round.putIfAbsent("valid", BooleanNode.TRUE);
        ObjectNode figures = round.deepCopy();
        withoutTotal(figures);
        ObjectNode window = JsonNodeFactory.instance.objectNode();
        WINDOW.forEach(name -> setIfPresent(window, name, round.path(name)));
        round.set("window", window);
        round.set("figures", figures);
    }

    private static void rawLimit(ObjectNode limit) {
        limit.put("row", limit.path("transport").asString(""));
        JsonNode spread = limit.path("spread").path("callsPerSecond");
        limit.remove("spread");
        setIfPresent(limit, "spread", spread);
        limit.path("rounds").values().forEach(SchemaOne::withoutTotal);
        withoutTotal(limit.path("median"));
    }

    private static void setIfPresent(ObjectNode object, String name, JsonNode value) {
        if (!value.isMissingNode()) {
            object.set(name, value);
        }
    }

    /** A sum of all processes stood among them. */
    private static void withoutTotal(JsonNode node) {
        if (node.path("cpu") instanceof ObjectNode cpu) {
            cpu.remove("total");
        }
    }
}
