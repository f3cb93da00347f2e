package dev.chatterbox.report;

import java.util.Collection;
import java.util.List;

/** Colours by place among the sorted names of all transports, as on the live page (live-dom.js, live.css). */
record Palette(List<String> names) {

    private static final int COLOURS = 7;

    Palette {
        names = names.stream().sorted().distinct().toList();
    }

    /** 1 to {@value #COLOURS}; 0 for a name that is not known. */
    int colour(String name) {
        return names.contains(name) ? names.indexOf(name) % COLOURS + 1 : 0;
    }

    /** An eighth starts over, dashed. */
    boolean dashed(String name) {
        return names.indexOf(name) >= COLOURS;
    }

    static Palette of(Collection<String> names) {
        return new Palette(List.copyOf(names));
    }
}
