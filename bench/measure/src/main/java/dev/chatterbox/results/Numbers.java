package dev.chatterbox.results;

import java.util.List;
import java.util.Locale;
import java.util.function.DoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Numbers and lists for people: three digits, and {@value #NONE} for NaN, which means that nothing was measured. */
public final class Numbers {

    /** What is shown for a figure that is not known. */
    public static final String NONE = "–";

    private Numbers() {}

    /** The measured value; NaN if the results have none. */
    public static double orNaN(@Nullable Number measured) {
        return measured == null ? Double.NaN : measured.doubleValue();
    }

    /** "0.123", "1.23", "12.3", "123", "1,234" */
    public static String digits(double value) {
        if (!Double.isFinite(value)) {
            return NONE;
        }
        double size = Math.abs(value);
        int decimals = size == 0 || size >= 99.95 ? 0 : size >= 9.995 ? 1 : size >= 0.9995 ? 2 : 3;
        return String.format(Locale.ROOT, "%,." + decimals + "f", value);
    }

    /** "45 s", "3 min 20 s", "1 h 05 min" */
    public static String time(double seconds) {
        long whole = Math.max(0, Math.round(seconds));
        if (whole >= 3600) {
            return "%d h %02d min".formatted(whole / 3600, whole % 3600 / 60);
        }
        return whole >= 60 ? "%d min %02d s".formatted(whole / 60, whole % 60) : whole + " s";
    }

    public static String whole(double value) {
        return String.format(Locale.ROOT, "%,.0f", value);
    }

    /** "5.83 [5.61–6.06]" */
    public static String withInterval(Estimate estimate, DoubleFunction<String> number) {
        String value = number.apply(estimate.value());
        return estimate.hasInterval()
                ? "%s [%s–%s]".formatted(value, number.apply(estimate.from()), number.apply(estimate.to()))
                : value;
    }

    /** A number per second. */
    public static String rate(double value) {
        return value < 999.5
                ? String.format(Locale.ROOT, value < 9.95 ? "%.1f" : "%.0f", value)
                : scaled(value / 1e3, "k", "M");
    }

    /** The value in the largest unit of which it has one or more; each unit is a thousand of the one before. */
    private static String scaled(double value, String... units) {
        if (!Double.isFinite(value)) {
            return NONE;
        }
        int unit = 0;
        double scaled = value;
        for (; scaled >= 999.5 && unit < units.length - 1; unit++) {
            scaled /= 1e3;
        }
        return digits(scaled) + " " + units[unit];
    }

    /** "1 call", "1,000 calls" */
    public static String counted(long count, String noun) {
        return String.format(Locale.ROOT, "%,d %s%s", count, noun, count == 1 ? "" : "s");
    }

    public static String seconds(double seconds) {
        return scaled(seconds * 1e6, "µs", "ms", "s");
    }

    public static String bytes(double bytes) {
        return bytes < 999.5 ? String.format(Locale.ROOT, "%.0f B", bytes) : scaled(bytes / 1e3, "kB", "MB", "GB");
    }

    /** 0.043 is "4.3 %". */
    public static String percent(double part) {
        if (!Double.isFinite(part)) {
            return NONE;
        }
        return String.format(Locale.ROOT, part != 0 && Math.abs(part) < 0.0995 ? "%.1f %%" : "%.0f %%", part * 100);
    }

    /** A ratio around 1, which needs its second decimal: "0.52", "1.98", "12.4". */
    public static String ratio(double ratio) {
        return ratio < 0.9995 ? String.format(Locale.ROOT, "%.2f", ratio) : digits(ratio);
    }

    /** "nats", "kafka and nats", "grpc, kafka and nats" */
    public static String listed(List<String> names) {
        int last = names.size() - 1;
        return last < 1
                ? String.join("", names)
                : String.join(", ", names.subList(0, last)) + " and " + names.get(last);
    }

    /** Joins the texts that are not empty. */
    public static String joined(String between, String... texts) {
        return Stream.of(texts).filter(text -> !text.isEmpty()).collect(Collectors.joining(between));
    }

    /** Joins each number and its unit with a space at which pages do not break the line. */
    public static String unbroken(String text) {
        return text.replaceAll("(?<=\\d) (?=[\\p{L}%µ])", "\u00a0");
    }
}
