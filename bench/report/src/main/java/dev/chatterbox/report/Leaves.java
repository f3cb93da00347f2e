package dev.chatterbox.report;

import dev.chatterbox.results.ResultsFile;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** All values of a part of the results by their names in results.json, joined by dots. */
final class Leaves {

    private Leaves() {}

    /** In the order of the file; empty where the file has null. */
    static Map<String, String> of(Object part) {
        Map<String, String> leaves = new LinkedHashMap<>();
        collect("", ResultsFile.tree(part), leaves);
        return leaves;
    }

    private static void collect(String path, JsonNode node, Map<String, String> leaves) {
        if (node.isObject()) {
            String prefix = path.isEmpty() ? "" : path + ".";
            node.properties().forEach(field -> collect(prefix + field.getKey(), field.getValue(), leaves));
        } else {
            leaves.put(path, node.isNull() ? "" : node.isContainer() ? node.toString() : node.asString());
        }
    }
}
