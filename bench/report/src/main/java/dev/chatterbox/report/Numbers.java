package dev.chatterbox.report;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Numbers for people: three digits, and {@value #NONE} for NaN, which is what was not measured. */
final class Numbers {

    static final String NONE = "–";

    private Numbers() {}

    /** What the results do not know is NaN. */
    static double orNaN(@Nullable Number measured) {
        return measured == null ? Double.NaN : measured.doubleValue();
    }

    /** "0.123", "1.23", "12.3", "123", "1,234" */
    static String digits(double value) {
        if (!Double.isFinite(value)) {
            return NONE;
        }
        double size = Math.abs(value);
        String format =
                size == 0 || size >= 99.95 ? "%,.0f" : size >= 9.995 ? "%.1f" : size >= 0.9995 ? "%.2f" : "%.3f";
        return String.format(Locale.ROOT, format, value);
    }

    /** "0.02", "<0.001" */
    static String chance(double chance) {
        return chance < 0.001 ? "<0.001" : String.format(Locale.ROOT, chance < 0.01 ? "%.3f" : "%.2f", chance);
    }

    /** Something per second. */
    static String rate(double value) {
        return value < 9.95 ? String.format(Locale.ROOT, "%.1f", value) : count(value);
    }

    static String count(double value) {
        if (!Double.isFinite(value)) {
            return NONE;
        }
        if (value < 999.5) {
            return String.format(Locale.ROOT, "%.0f", value);
        }
        return value < 999_500 ? digits(value / 1e3) + " k" : digits(value / 1e6) + " M";
    }

    /** To the last one. */
    static String whole(double value) {
        return Double.isFinite(value) ? String.format(Locale.ROOT, "%,.0f", value) : NONE;
    }

    /** "1 call", "1,000 calls" */
    static String counted(long count, String noun) {
        return String.format(Locale.ROOT, "%,d %s%s", count, noun, count == 1 ? "" : "s");
    }

    static String micros(double microseconds) {
        return Double.isFinite(microseconds) ? digits(microseconds) + " µs" : NONE;
    }

    static String seconds(double seconds) {
        if (!Double.isFinite(seconds)) {
            return NONE;
        }
        if (seconds < 0.0009995) {
            return digits(seconds * 1e6) + " µs";
        }
        return seconds < 0.9995 ? digits(seconds * 1e3) + " ms" : digits(seconds) + " s";
    }

    static String bytes(double bytes) {
        if (!Double.isFinite(bytes)) {
            return NONE;
        }
        if (bytes < 999.5) {
            return String.format(Locale.ROOT, "%.0f B", bytes);
        }
        return bytes < 999_500
                ? digits(bytes / 1e3) + " kB"
                : bytes < 999.5e6 ? digits(bytes / 1e6) + " MB" : digits(bytes / 1e9) + " GB";
    }

    /** 0.043 is "4 %". */
    static String percent(double share) {
        if (!Double.isFinite(share)) {
            return NONE;
        }
        return String.format(Locale.ROOT, share > 0 && share < 0.00995 ? "%.1f %%" : "%.0f %%", share * 100);
    }

    /** How many times as much: "1.04", "1.6", "12". */
    static String times(double ratio) {
        if (!Double.isFinite(ratio)) {
            return NONE;
        }
        return String.format(Locale.ROOT, ratio < 1.095 ? "%.2f" : ratio < 9.95 ? "%.1f" : "%,.0f", ratio);
    }

    /** A ratio around 1, which needs its second decimal: "0.52", "1.98", "12.4". */
    static String ratio(double ratio) {
        return ratio < 0.9995 ? String.format(Locale.ROOT, "%.2f", ratio) : digits(ratio);
    }

    /** Without the space between a number and its unit: for columns that have no room for it. */
    static String tight(String number) {
        return number.replace(" ", "");
    }
}
