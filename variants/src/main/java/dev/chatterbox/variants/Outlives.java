package dev.chatterbox.variants;

import java.util.Locale;

/** What a request, or a one-way message, outlives on its way; from the least to the most, each with those before it. */
public enum Outlives {
    /** It is lost with the process that has it. */
    NOTHING("nothing"),
    /** If its responder dies, another one gets it; it is lost with the broker. */
    RESPONDER("a dead responder"),
    /** It is in the broker's files before it counts as sent. */
    BROKER("a restarted broker"),
    /** It is on the broker's disk before a responder gets it. */
    POWER_CUT("a power cut");

    private final String what;

    Outlives(String what) {
        this.what = what;
    }

    /** The value of a key of a variant's file. */
    static Outlives of(PropertiesFile file, String key) {
        return PropertiesFile.oneOf(key, file.optional(key).orElse(NOTHING.text()), values(), Outlives::text);
    }

    /** As a variant's file has it. */
    public String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** For people: "a restarted broker". */
    public String what() {
        return what;
    }
}
