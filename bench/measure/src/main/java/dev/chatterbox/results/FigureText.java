package dev.chatterbox.results;

import java.util.Locale;

/** Figures and durations for people. */
public final class FigureText {

    /** What stands for a figure that is not known. */
    public static final String NONE = "–";

    private FigureText() {}

    /** Three digits that mean something: 0.123, 1.23, 12.3, 123, 1,234. */
    public static String digits(double value) {
        if (!Double.isFinite(value)) {
            return NONE;
        }
        double size = Math.abs(value);
        int decimals = size == 0 || size >= 99.95 ? 0 : size >= 9.995 ? 1 : size >= 0.9995 ? 2 : 3;
        return String.format(Locale.ROOT, "%,." + decimals + "f", value);
    }

    /** A duration such as 45 s, 3 min 20 s, 1 h 05 min. */
    public static String time(double seconds) {
        long whole = Math.max(0, Math.round(seconds));
        if (whole >= 3600) {
            return "%d h %02d min".formatted(whole / 3600, whole % 3600 / 60);
        }
        return whole >= 60 ? "%d min %02d s".formatted(whole / 60, whole % 60) : whole + " s";
    }
}
