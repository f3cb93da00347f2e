package dev.chatterbox.report;

import dev.chatterbox.results.Environment;
import dev.chatterbox.results.Environment.RowSettings;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * With what a run was made.
 *
 * @param rows settings by row, so that one sees what is not equal
 */
record EnvironmentFacts(Table rows, List<Facts> facts) {

    /** @param values by name, at least one */
    record Facts(String title, Map<String, String> values) {}

    static EnvironmentFacts of(Environment environment) {
        List<Facts> facts = new ArrayList<>();
        add(facts, "machine", environment.machine());
        add(facts, "java", environment.java());
        add(facts, "versions", environment.versions());
        add(facts, "git", environment.git());
        add(facts, "fan-out", environment.settings().fanOut());
        return new EnvironmentFacts(rows(environment.settings().rows()), facts);
    }

    private static void add(List<Facts> facts, String title, Object part) {
        Map<String, String> values = Leaves.of(part);
        values.values().removeIf(String::isEmpty);
        values.replaceAll(EnvironmentFacts::readable);
        if (!values.isEmpty()) {
            facts.add(new Facts(title, values));
        }
    }

    private static String readable(String name, String value) {
        return name.endsWith("Bytes") && value.matches("[0-9]+") ? Numbers.bytes(Double.parseDouble(value)) : value;
    }

    private static Table rows(Map<String, RowSettings> byName) {
        Map<String, RowSettings> rows = new TreeMap<>(byName);
        Table.Builder table = Table.of("Settings of the rows").words("setting");
        rows.keySet().forEach(table::words);
        if (rows.isEmpty()) {
            return table.build();
        }
        Set<String> names = new LinkedHashSet<>();
        rows.values().forEach(row -> names.addAll(row.settings().keySet()));
        line(table, rows, "kind", RowSettings::kind);
        line(table, rows, "responder", RowSettings::responder);
        line(table, rows, "broker", RowSettings::broker);
        names.forEach(name -> line(table, rows, name, row -> row.settings().get(name)));
        return table.build();
    }

    /** A setting that no row has is no line. */
    private static void line(
            Table.Builder table,
            Map<String, RowSettings> rows,
            String name,
            Function<RowSettings, @Nullable Object> of) {
        List<String> values = rows.values().stream()
                .map(row -> {
                    Object value = of.apply(row);
                    return value == null || value.toString().isEmpty() ? Numbers.NONE : value.toString();
                })
                .toList();
        if (!values.stream().allMatch(Numbers.NONE::equals)) {
            table.line(Table.field(name), values.stream().map(Table::field).toList());
        }
    }
}
