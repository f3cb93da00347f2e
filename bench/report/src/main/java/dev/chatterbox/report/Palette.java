package dev.chatterbox.report;

import java.util.Collection;
import java.util.List;

/** Colours by position among the sorted names of all rows, as on the live page (palette.js, page.css). */
record Palette(List<String> names) {

    private static final int COLOURS = 7;

    Palette {
        names = names.stream().sorted().distinct().toList();
    }

    static Palette of(Collection<String> names) {
        return new Palette(List.copyOf(names));
    }

    /** 1 to {@value #COLOURS}; 0 for a name that is not known. */
    int colour(String name) {
        return names.contains(name) ? names.indexOf(name) % COLOURS + 1 : 0;
    }

    /** The colour in the words of the style sheet. */
    String css(String name) {
        return colour(name) == 0 ? "var(--muted)" : "var(--series-%d)".formatted(colour(name));
    }

    /** How often the colours have started over before this name: its lines and points have other shapes then. */
    int turn(String name) {
        return Math.max(0, names.indexOf(name)) / COLOURS;
    }
}
