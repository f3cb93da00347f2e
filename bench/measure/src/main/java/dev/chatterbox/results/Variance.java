package dev.chatterbox.results;

import java.util.Collection;

/**
 * An estimate of a logarithm's variance.
 *
 * @param value 0 or more
 * @param freedom the degrees of freedom that it is known with
 */
public record Variance(double value, double freedom) {

    /** The variance of a sum of independent parts. Its degrees of freedom are Satterthwaite's. */
    static Variance ofSum(Collection<Variance> parts) {
        double sum = parts.stream().mapToDouble(Variance::value).sum();
        double weights = parts.stream()
                .mapToDouble(part -> part.value * part.value / part.freedom)
                .sum();
        return new Variance(sum, weights == 0 ? 1 : sum * sum / weights);
    }
}
