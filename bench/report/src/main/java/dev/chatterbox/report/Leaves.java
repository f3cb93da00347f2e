package dev.chatterbox.report;

import dev.chatterbox.results.Environment;
import dev.chatterbox.results.ResultsFile;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** All values of a part of the results by their names in results.json, joined by dots. */
final class Leaves {

    private Leaves() {}

    /** In the order of the file, without what is unknown; settings of rows by "rows.NAME". */
    static Map<String, String> ofEnvironment(Environment environment) {
        Map<String, String> leaves = new LinkedHashMap<>();
        collect("machine", ResultsFile.tree(environment.machine()), leaves);
        collect("java", ResultsFile.tree(environment.java()), leaves);
        collect("versions", ResultsFile.tree(environment.versions()), leaves);
        collect("git", ResultsFile.tree(environment.git()), leaves);
        collect("fan-out", ResultsFile.tree(environment.settings().fanOut()), leaves);
        environment.settings().rows().forEach((row, settings) -> {
            collect("rows." + row, ResultsFile.tree(settings.settings()), leaves);
            leaves.put("rows." + row + ".responder", String.valueOf(settings.responder()));
            leaves.put("rows." + row + ".broker", String.valueOf(settings.broker()));
        });
        collect("faults", ResultsFile.tree(environment.faults()), leaves);
        leaves.values().removeIf(value -> value.isEmpty() || value.equals("null"));
        leaves.replaceAll(Leaves::readable);
        return leaves;
    }

    private static String readable(String name, String value) {
        return name.endsWith("Bytes") && value.matches("[0-9]+") ? Numbers.bytes(Double.parseDouble(value)) : value;
    }

    private static void collect(String path, JsonNode node, Map<String, String> leaves) {
        if (node.isObject()) {
            node.properties().forEach(field -> collect(path + "." + field.getKey(), field.getValue(), leaves));
        } else {
            leaves.put(path, node.isNull() ? "" : node.isContainer() ? node.toString() : node.asString());
        }
    }
}
