package dev.chatterbox.resilience;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The outcome of one scenario on one variant.
 *
 * @param seconds the duration of the whole case
 * @param tables what it adds to each table, by the table's title; the first table, and in it the first figures of each
 *     line, say the most
 * @param remarks sentences with further facts
 * @param missed sentences about the criteria that were not met; empty if all were met
 */
public record CaseResult(
        String variant,
        String name,
        double seconds,
        Map<String, List<Figures>> tables,
        List<String> remarks,
        List<String> missed) {

    /** How many figures of a line the terminal shows. */
    private static final int SHOWN = 7;

    /** @param begin of the case, by {@link System#nanoTime} */
    static CaseResult since(
            long begin,
            String variant,
            String name,
            Map<String, List<Figures>> tables,
            List<String> remarks,
            List<String> missed) {
        return new CaseResult(variant, name, (System.nanoTime() - begin) / 1e9, tables, remarks, missed);
    }

    /** A case that could not be carried out. */
    static CaseResult failed(String variant, String name, String why) {
        return new CaseResult(variant, name, 0, Map.of(), List.of(), List.of(why));
    }

    boolean met() {
        return missed.isEmpty();
    }

    List<Figures> table(String title) {
        return tables.getOrDefault(title, List.of());
    }

    String verdict() {
        String verdict = met() ? "✓" : "✗ " + String.join("; ", missed);
        return remarks.isEmpty() ? verdict : verdict + " " + String.join("; ", remarks);
    }

    /** For the terminal. */
    String line() {
        String facts = tables.values().stream()
                .limit(1)
                .flatMap(List::stream)
                .map(line -> line.names().stream()
                        .filter(figure -> !line.text(figure).isEmpty())
                        .limit(SHOWN)
                        .map(figure -> figure + " " + line.text(figure))
                        .collect(Collectors.joining(", ")))
                .collect(Collectors.joining("; "));
        return "%s %-7s %-22s %s%s"
                .formatted(
                        met() ? "✓" : "✗", variant, name, facts, met() ? "" : "; MISSED: " + String.join("; ", missed));
    }
}
