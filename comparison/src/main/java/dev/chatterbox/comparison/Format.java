package dev.chatterbox.comparison;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Figures for people: three digits that mean something, and a dash for what is not known. */
final class Format {

    static final String NONE = "–";

    private Format() {}

    /** 0.0123, 1.23, 12.3, 123, 1234. */
    static String short3(@Nullable Double value) {
        if (value == null || !Double.isFinite(value)) {
            return NONE;
        }
        double size = Math.abs(value);
        int decimals = size == 0 || size >= 99.95 ? 0 : size >= 9.995 ? 1 : size >= 0.9995 ? 2 : 3;
        return String.format(Locale.ROOT, "%." + decimals + "f", value);
    }

    /** 950, 12.3k, 231k, 1.20M. */
    static String large(@Nullable Double value) {
        if (value == null || !Double.isFinite(value)) {
            return NONE;
        }
        if (value >= 999_500) {
            return short3(value / 1e6) + "M";
        }
        return value >= 9_995 ? short3(value / 1e3) + "k" : short3(value);
    }

    /** 120µs, 1.23ms, 45.6ms, 1.20s. */
    static String duration(@Nullable Double seconds) {
        if (seconds == null || !Double.isFinite(seconds)) {
            return NONE;
        }
        if (seconds >= 0.9995) {
            return short3(seconds) + "s";
        }
        return seconds >= 0.0009995 ? short3(seconds * 1e3) + "ms" : short3(seconds * 1e6) + "µs";
    }

    static String percent(@Nullable Double fraction) {
        return fraction == null || !Double.isFinite(fraction) ? NONE : Math.round(fraction * 100) + "%";
    }

    /** 45 s, 3 min 20 s, 1 h 05 min. */
    static String time(double seconds) {
        long whole = Math.max(0, Math.round(seconds));
        if (whole >= 3600) {
            return "%d h %02d min".formatted(whole / 3600, whole % 3600 / 60);
        }
        return whole >= 60 ? "%d min %02d s".formatted(whole / 60, whole % 60) : whole + " s";
    }
}
