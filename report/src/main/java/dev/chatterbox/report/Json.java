package dev.chatterbox.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** Reading a tree in which anything may be absent or null. */
final class Json {

    private Json() {}

    /** The number at a JSON pointer; NaN if there is none. */
    static double number(JsonNode node, String pointer) {
        JsonNode value = node.at(pointer);
        return value.isNumber() ? value.doubleValue() : Double.NaN;
    }

    static String text(JsonNode node, String pointer) {
        return text(node.at(pointer));
    }

    /** As a person would write it; empty if there is nothing. */
    static String text(JsonNode value) {
        if (value.isMissingNode() || value.isNull()) {
            return "";
        }
        return value.isContainer() ? value.toString() : value.asString();
    }

    static boolean isTrue(JsonNode node, String pointer) {
        JsonNode value = node.at(pointer);
        return value.isBoolean() && value.booleanValue();
    }

    static boolean isFalse(JsonNode node, String pointer) {
        JsonNode value = node.at(pointer);
        return value.isBoolean() && !value.booleanValue();
    }

    static List<JsonNode> children(JsonNode node, String pointer) {
        return new ArrayList<>(node.at(pointer).values());
    }

    /** In the order of the file. */
    static Map<String, JsonNode> fields(JsonNode node, String pointer) {
        Map<String, JsonNode> fields = new LinkedHashMap<>();
        node.at(pointer).properties().forEach(field -> fields.put(field.getKey(), field.getValue()));
        return fields;
    }

    /** Every leaf by its dotted path. */
    static Map<String, String> leaves(JsonNode node) {
        Map<String, String> leaves = new LinkedHashMap<>();
        leaves("", node, leaves);
        return leaves;
    }

    private static void leaves(String path, JsonNode node, Map<String, String> leaves) {
        if (node.isObject()) {
            node.properties()
                    .forEach(field -> leaves(
                            path.isEmpty() ? field.getKey() : path + "." + field.getKey(), field.getValue(), leaves));
        } else if (!text(node).isEmpty()) {
            leaves.put(path, text(node));
        }
    }
}
