package dev.chatterbox.report;

import dev.chatterbox.results.Cell;
import java.util.Comparator;
import java.util.List;

/**
 * How a variant looks on every chart: a colour, a mark and a dash by its position among the sorted names of all
 * variants. The marks and dashes start over after different counts, so that 40 variants can be told apart without any
 * colour. The zero line comes last, so that the others look the same on the live page, which seldom has it.
 */
record Palette(List<String> names) {

    private static final int COLOURS = 7;
    private static final int DASHES = 5;

    /** The marks as text; calls.jte draws the same ones. */
    private static final String MARKS = "●■▲◆○□△◇";

    /** @param colour the number of a colour in the style sheet, 1 to 7; 0 for a name that is not known */
    record Look(int colour, int mark, int dash) {}

    Palette {
        names = names.stream()
                .distinct()
                .sorted(Comparator.<String, Boolean>comparing(Cell.ZERO_LINE::equals)
                        .thenComparing(Comparator.naturalOrder()))
                .toList();
    }

    Look look(String name) {
        int position = names.indexOf(name);
        return position < 0
                ? new Look(0, 0, 0)
                : new Look(position % COLOURS + 1, position % MARKS.length(), position % DASHES);
    }

    String css(String name) {
        int colour = look(name).colour();
        return colour == 0 ? "var(--muted)" : "var(--series-%d)".formatted(colour);
    }

    String mark(String name) {
        return MARKS.substring(look(name).mark(), look(name).mark() + 1);
    }
}
