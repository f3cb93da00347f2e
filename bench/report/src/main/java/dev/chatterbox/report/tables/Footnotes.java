package dev.chatterbox.report.tables;

import dev.chatterbox.results.Caveat;
import java.math.BigDecimal;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The caveats of a table's figures, each with a mark. Those that differ in nothing but numbers share one: "its
 * compilers still took 5–44 % of its CPU time".
 */
public final class Footnotes {

    private static final String MARKS = "ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ";
    private static final Pattern NUMBER = Pattern.compile("\\d+(?:,\\d{3})*(?:\\.\\d+)?");

    private final Map<String, Set<Caveat>> alike = new LinkedHashMap<>();

    /** Takes the caveats of a figure, in the order of the table, and returns their marks. */
    String mark(Collection<Caveat> caveats) {
        caveats.forEach(caveat -> alike.computeIfAbsent(kind(caveat), none -> new LinkedHashSet<>())
                .add(caveat));
        List<String> kinds = List.copyOf(alike.keySet());
        return caveats.stream()
                .map(caveat -> kinds.indexOf(kind(caveat)))
                .distinct()
                .sorted()
                .map(Footnotes::mark)
                .collect(Collectors.joining());
    }

    private static String kind(Caveat caveat) {
        return NUMBER.matcher(caveat.text()).replaceAll("0");
    }

    private static String mark(int index) {
        return String.valueOf(MARKS.charAt(index % MARKS.length())).repeat(1 + index / MARKS.length());
    }

    /** A sentence for each mark. */
    List<String> sentences() {
        List<String> merged = merged();
        return IntStream.range(0, merged.size())
                .mapToObj(i -> mark(i) + " " + merged.get(i))
                .toList();
    }

    /** A sentence for all caveats that differ in nothing but numbers. */
    public static List<String> merged(Stream<Caveat> caveats) {
        Footnotes footnotes = new Footnotes();
        footnotes.mark(caveats.toList());
        return footnotes.merged();
    }

    private List<String> merged() {
        return alike.values().stream()
                .map(kind -> "%s: %s."
                        .formatted(
                                kind.stream().map(Caveat::of).distinct().collect(Collectors.joining(", ")), text(kind)))
                .toList();
    }

    /** The text that all of them have, with the range of each number. */
    private static String text(Set<Caveat> kind) {
        List<List<String>> numbers = kind.stream()
                .map(caveat -> NUMBER.matcher(caveat.text())
                        .results()
                        .map(MatchResult::group)
                        .toList())
                .toList();
        int[] next = {0};
        return NUMBER.matcher(kind.iterator().next().text()).replaceAll(found -> {
            int i = next[0]++;
            List<String> sorted = numbers.stream()
                    .map(all -> all.get(i))
                    .sorted(Comparator.comparing(number -> new BigDecimal(number.replace(",", ""))))
                    .toList();
            String least = sorted.get(0);
            String most = sorted.get(sorted.size() - 1);
            return least.equals(most) ? least : least + "–" + most;
        });
    }
}
