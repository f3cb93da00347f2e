package dev.chatterbox.comparison;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Over rounds: what could not be measured (null) is left out, and nothing measured is null again. */
final class Statistics {

    private static final int LEAST_FOR_MIDDLE = 5;

    private Statistics() {}

    static @Nullable Double median(Collection<@Nullable Double> values) {
        List<Double> sorted = sorted(values);
        if (sorted.isEmpty()) {
            return null;
        }
        int middle = sorted.size() / 2;
        return rounded(sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2);
    }

    /** The smallest value that at least a quarter of all do not exceed. */
    static @Nullable Double lowerQuartile(Collection<@Nullable Double> values) {
        List<Double> sorted = sorted(values);
        return sorted.isEmpty() ? null : rounded(sorted.get((sorted.size() + 3) / 4 - 1));
    }

    /** (max − min) / median; null for less than two values, which have no spread. */
    static @Nullable Double spread(Collection<@Nullable Double> values) {
        List<Double> sorted = sorted(values);
        Double median = median(values);
        if (sorted.size() < 2 || median == null || median == 0) {
            return null;
        }
        return rounded((sorted.get(sorted.size() - 1) - sorted.get(0)) / median);
    }

    /**
     * The spread without the largest and the smallest value, from five values on: one second in which the machine was
     * busy elsewhere is no reason to distrust the others.
     */
    static @Nullable Double middleSpread(Collection<@Nullable Double> values) {
        List<Double> sorted = sorted(values);
        return spread(sorted.size() < LEAST_FOR_MIDDLE ? sorted : sorted.subList(1, sorted.size() - 1));
    }

    /** Null unless every value is known: a sum of less would look like a small one. */
    static @Nullable Double sum(Collection<@Nullable Double> values) {
        double sum = 0;
        for (Double value : values) {
            if (value == null) {
                return null;
            }
            sum += value;
        }
        return rounded(sum);
    }

    /** Null unless both are known. */
    static @Nullable Double difference(@Nullable Double now, @Nullable Double earlier) {
        return now == null || earlier == null ? null : Double.valueOf(now - earlier);
    }

    /** To six digits, which is more than any figure here is worth; null for what is no number. */
    static @Nullable Double rounded(@Nullable Double value) {
        if (value == null || !Double.isFinite(value)) {
            return null;
        }
        return value == 0
                ? 0.0
                : new BigDecimal(value).round(new MathContext(6)).doubleValue();
    }

    private static List<Double> sorted(Collection<@Nullable Double> values) {
        return values.stream()
                .filter(Objects::nonNull)
                .map(Double::valueOf)
                .sorted()
                .toList();
    }
}
