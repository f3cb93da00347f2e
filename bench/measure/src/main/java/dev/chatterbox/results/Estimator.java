package dev.chatterbox.results;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.apache.commons.statistics.distribution.TDistribution;

/**
 * Estimates figures and ratios from the sums of blocks.
 *
 * <p>The variance of a logarithm has two parts. That of the blocks is what a bootstrap gives that draws runs of five
 * neighbouring blocks, for neighbours correlate (Künsch, <i>The Jackknife and the Bootstrap for General Stationary
 * Observations</i>, 1989). The other is what two starts of one stack differ by for good: σ²(start) ÷ starts of each
 * side. The interval has Student's t, because few runs of blocks, and few starts, show their own spread badly. Its
 * degrees of freedom are those of the sum of the variances (Satterthwaite, <i>An Approximate Distribution of Estimates
 * of Variance Components</i>, Biometrics Bulletin 2, 1946).
 *
 * @param startSpread σ²(start): what starts of a variant of this class differ by for good
 */
public record Estimator(Function<VariantClass, Variance> startSpread) {

    /** With the committed spreads. A run of a few starts knows its own spread too badly to correct them. */
    public static final Estimator COMMITTED = new Estimator(VariantClass::startSpread);

    private static final int RUN = 5;
    /** Fewer have no interval. */
    public static final int LEAST_BLOCKS = 4;

    /** The level of intervals, and that of all ranks of a ranking together: the chance to be wrong. */
    static final double LEVEL = 0.01;

    /** With intervals that hold what blocks differ by, and not what starts do. */
    public static Estimator ofBlocks() {
        return new Estimator(variants -> new Variance(0, 1));
    }

    /**
     * A ratio with what it takes to compare it with 1 at another level than that of its interval.
     *
     * @param error the standard error of its logarithm; infinite if there are too few blocks
     * @param student how often the logarithm is so many standard errors from the true one
     */
    record Comparison(Estimate ratio, double error, TDistribution student) {

        /** The chance that two equal figures look at least so different. */
        double chance() {
            double distance = Math.abs(Math.log(ratio.value()));
            return distance > 0 ? 2 * student.survivalProbability(distance / error) : 1;
        }

        /** The smallest part by which one figure must be the larger to be told from the other at a level. */
        double smallestDifference(double level) {
            return Math.exp(error * student.inverseSurvivalProbability(level / 2)) - 1;
        }
    }

    /** A figure of one cell. */
    public Estimate figure(Sums sums) {
        return compare(sums, sums.ones(), List.of(sums.variants())).ratio;
    }

    /** The ratio of two figures, over the blocks that have both. */
    public Estimate ratio(Sums above, Sums below) {
        return compare(above, below).ratio;
    }

    /** A ratio that a start shows only once: their mean by logarithms, with an interval from three starts on. */
    public static Estimate ofStarts(DoubleStream ratios) {
        double[] logs = ratios.map(Math::log).toArray();
        double value = Math.exp(DoubleStream.of(logs).average().orElse(Double.NaN));
        if (logs.length < 3) {
            return Estimate.of(value, List.of());
        }
        Variance sum = ofRuns(logs);
        double t = TDistribution.of(sum.freedom()).inverseSurvivalProbability(LEVEL / 2);
        double factor = Math.exp(t * Math.sqrt(sum.value()) / logs.length);
        return new Estimate(value, value / factor, value * factor, List.of());
    }

    Comparison compare(Sums above, Sums below) {
        return compare(above.shared(below), below.shared(above), List.of(above.variants(), below.variants()));
    }

    /** @param sides the classes of the figures whose starts differ */
    private Comparison compare(Sums above, Sums below, List<VariantClass> sides) {
        double value = above.value() / below.value();
        List<Caveat> caveats = Caveat.both(above.caveats(), below.caveats());
        if (above.blocks().size() < LEAST_BLOCKS || !(value > 0)) {
            return new Comparison(Estimate.of(value, caveats), Double.POSITIVE_INFINITY, TDistribution.of(1));
        }
        List<Variance> parts = new ArrayList<>(ofBlocks(above, below));
        // Two sides of one class have one estimate of their spread, and no more degrees of freedom than one has.
        sides.stream().distinct().forEach(side -> {
            Variance spread = startSpread.apply(side);
            double together = Collections.frequency(sides, side) * spread.value();
            parts.add(new Variance(together / above.starts().size(), spread.freedom()));
        });
        Variance variance = Variance.ofSum(parts);
        double error = Math.sqrt(variance.value());
        TDistribution student = TDistribution.of(variance.freedom());
        double factor = Math.exp(error * student.inverseSurvivalProbability(LEVEL / 2));
        return new Comparison(new Estimate(value, value / factor, value * factor, caveats), error, student);
    }

    /**
     * The variances of the logarithm of a quotient if blocks are drawn again, each start from its own. A start of fewer
     * blocks than an interval needs hardly shows this, and one of a single block not at all. Where there is such a
     * start, all blocks are drawn as those of one, with what starts differ by.
     */
    static List<Variance> ofBlocks(Sums above, Sums below) {
        double[] changes = IntStream.range(0, above.blocks().size())
                .mapToDouble(i -> change(above, i) - change(below, i))
                .toArray();
        List<double[]> starts = above.starts().stream()
                .map(start -> IntStream.range(0, changes.length)
                        .filter(i -> above.blocks().get(i).start() == start)
                        .mapToDouble(i -> changes[i])
                        .toArray())
                .toList();
        return (starts.stream().anyMatch(start -> start.length < LEAST_BLOCKS) ? List.of(changes) : starts)
                .stream().map(Estimator::ofRuns).toList();
    }

    /** How much a block changes the logarithm of the quotient. */
    private static double change(Sums sums, int block) {
        Sums.Block changed = sums.blocks().get(block);
        return changed.above() / sums.above() - changed.below() / sums.below();
    }

    /**
     * The variance of the sum of drawn runs of neighbours, where the first block follows the last. It is by ℓ ÷ B too
     * small, because the mean of the blocks is their own.
     */
    private static Variance ofRuns(double[] changes) {
        int blocks = changes.length;
        int run = Math.max(1, Math.min(RUN, blocks / LEAST_BLOCKS));
        double mean = DoubleStream.of(changes).average().orElseThrow();
        double squares = 0;
        for (int first = 0; first < blocks; first++) {
            double sum = 0;
            for (int i = first; i < first + run; i++) {
                sum += changes[i % blocks] - mean;
            }
            squares += sum * sum;
        }
        // Runs that overlap know their variance as well as 1.5 times as many that do not.
        double freedom = (run == 1 ? 1 : 1.5) * blocks / run - 1;
        // There are B ÷ ℓ runs, and the mean of B squares is the variance of one.
        return new Variance(squares / run * blocks / (blocks - run), freedom);
    }
}
