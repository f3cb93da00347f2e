package dev.chatterbox.comparison;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Writes what a comparison leaves behind. */
final class ResultsFolder {

    static final String JSON_FILE = "results.json";

    /** In the order of the records, as the documentation has it. */
    private static final JsonMapper JSON = JsonMapper.builder()
            .disable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
            .enable(SerializationFeature.INDENT_OUTPUT)
            .build();

    private ResultsFolder() {}

    static void write(Path folder, Results results) {
        try {
            Files.createDirectories(folder);
            write(folder.resolve(JSON_FILE), json(results) + "\n");
            write(folder.resolve("results.csv"), csv(results));
            write(folder.resolve("summary.md"), Tables.markdown(results));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whole or not at all: half a file on a full disk would be taken for results. */
    private static void write(Path file, String text) throws IOException {
        Path unfinished = file.resolveSibling(file.getFileName() + ".unfinished");
        try {
            Files.writeString(unfinished, text);
            Files.move(unfinished, file, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(unfinished);
        }
    }

    static String json(Results results) {
        return JSON.writeValueAsString(results);
    }

    /** One row a cell: its medians and spread under the names that the JSON has, joined by dots. */
    static String csv(Results results) {
        List<Map<String, String>> rows = new ArrayList<>();
        Set<String> columns = new LinkedHashSet<>();
        for (CellResult cell : results.cells()) {
            JsonNode tree = JSON.valueToTree(cell);
            Map<String, String> row = new LinkedHashMap<>();
            tree.properties().forEach(field -> {
                if (field.getKey().equals("rounds")) {
                    row.put("rounds", Integer.toString(field.getValue().size()));
                } else {
                    // The median's own names need no word before them.
                    flatten(field.getKey().equals("median") ? "" : field.getKey(), field.getValue(), row);
                }
            });
            rows.add(row);
        }
        // Columns that not every row has, such as a broker's, stand beside their like.
        rows.forEach(row -> addInOrder(columns, row.keySet()));
        StringBuilder csv = new StringBuilder(String.join(",", columns)).append('\n');
        for (Map<String, String> row : rows) {
            csv.append(String.join(
                            ",",
                            columns.stream()
                                    .map(column -> quoted(row.getOrDefault(column, "")))
                                    .toList()))
                    .append('\n');
        }
        return csv.toString();
    }

    private static void flatten(String path, JsonNode node, Map<String, String> row) {
        if (node.isObject()) {
            node.properties()
                    .forEach(field -> flatten(
                            path.isEmpty() ? field.getKey() : path + "." + field.getKey(), field.getValue(), row));
        } else {
            row.put(path, node.isNull() ? "" : node.asString());
        }
    }

    private static void addInOrder(Set<String> columns, Set<String> row) {
        List<String> ordered = new ArrayList<>(columns);
        int at = 0;
        for (String column : row) {
            int known = ordered.indexOf(column);
            if (known < 0) {
                ordered.add(at++, column);
            } else {
                at = known + 1;
            }
        }
        columns.clear();
        columns.addAll(ordered);
    }

    private static String quoted(String value) {
        return value.matches("[^,\"\\r\\n]*") ? value : '"' + value.replace("\"", "\"\"") + '"';
    }

    /** The pages that Gatling wrote, relative to the folder. */
    static List<String> gatlingReports(Path folder) {
        Path gatling = folder.resolve("gatling");
        if (!Files.isDirectory(gatling)) {
            return List.of();
        }
        try (Stream<Path> runs = Files.list(gatling)) {
            return runs.map(run -> run.resolve("index.html"))
                    .filter(Files::exists)
                    .map(page -> folder.relativize(page).toString().replace('\\', '/'))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
