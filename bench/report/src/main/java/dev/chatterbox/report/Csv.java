package dev.chatterbox.report;

import dev.chatterbox.results.Cell;
import dev.chatterbox.results.Results;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A row a cell, for spreadsheets: its row, each dimension of its workload, its medians and spread. */
final class Csv {

    private Csv() {}

    static String of(Results results) {
        List<Map<String, String>> lines =
                results.cells().stream().map(Csv::fields).toList();
        Set<String> columns = new LinkedHashSet<>();
        // Columns that not every cell has, such as a broker's, stand beside their like.
        lines.forEach(line -> addInOrder(columns, line.keySet()));
        StringBuilder csv = new StringBuilder(String.join(",", columns)).append('\n');
        for (Map<String, String> line : lines) {
            csv.append(String.join(
                            ",",
                            columns.stream()
                                    .map(column -> quoted(line.getOrDefault(column, "")))
                                    .toList()))
                    .append('\n');
        }
        return csv.toString();
    }

    /** The medians have the names of results.json, joined by dots. */
    private static Map<String, String> fields(Cell cell) {
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("row", cell.row());
        fields.put("kind", cell.kind());
        for (Axis axis : Axis.values()) {
            fields.put(axis.column(), axis.value(cell.workload()));
        }
        fields.put(
                "arrivalRate",
                cell.arrivalRate() == null ? "" : cell.arrivalRate().toString());
        fields.put("valid", Boolean.toString(cell.valid()));
        fields.put("notRanked.costs", String.join("; ", cell.notRanked().costs()));
        fields.put("notRanked.latencies", String.join("; ", cell.notRanked().latencies()));
        fields.put("idleShare", cell.idleShare() == null ? "" : cell.idleShare().toString());
        fields.put("rounds", Integer.toString(cell.rounds().size()));
        fields.putAll(Leaves.of(cell.median()));
        Leaves.of(cell.spread()).forEach((name, value) -> fields.put("spread." + name, value));
        return fields;
    }

    private static void addInOrder(Set<String> columns, Set<String> line) {
        List<String> ordered = new ArrayList<>(columns);
        int at = 0;
        for (String column : line) {
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
}
