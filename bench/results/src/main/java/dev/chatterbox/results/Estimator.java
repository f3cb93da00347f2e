package dev.chatterbox.results;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Random;
import org.apache.commons.statistics.distribution.TDistribution;
import org.jspecify.annotations.Nullable;

/**
 * Estimates figures and ratios from the sums of blocks.
 *
 * <p>The standard error of a logarithm is that of a bootstrap that draws runs of five neighbouring blocks, for
 * neighbours correlate (Künsch, <i>The Jackknife and the Bootstrap for General Stationary Observations</i>, 1989), and
 * the part by which two starts of one stack differ for good: se² = se²(blocks) + σ²(start) ÷ starts, twice the latter
 * for a ratio. The interval has Student's t, since few runs of blocks tell their own spread badly.
 *
 * @param startSpread σ(start): the standard deviation of the logarithm of one figure over starts of one stack
 */
public record Estimator(double startSpread) {

    private static final int RUN = 5;
    private static final int LEAST_BLOCKS = 4;
    private static final int DRAWS = 2000;
    private static final double CONFIDENCE = 0.99;

    /** What a committed spread counts beside one that is measured: as if that many starts had been compared. */
    private static final double COMMITTED_WEIGHT = 10;

    /** A figure of one cell. */
    public Estimate figure(Sums sums) {
        return estimate(sums, null, 1);
    }

    /** The ratio of two figures, over the blocks that have both. */
    public Estimate ratio(Sums above, Sums below) {
        return estimate(above.shared(below), below.shared(above), 2);
    }

    private Estimate estimate(Sums above, @Nullable Sums below, int sides) {
        double value = below == null ? above.value() : above.value() / below.value();
        int blocks = above.blocks().size();
        double[] own = new double[blocks];
        for (int i = 0; i < blocks; i++) {
            own[i] = quotient(above.blocks().get(i))
                    / (below == null ? 1 : quotient(below.blocks().get(i)));
        }
        double median = median(own);
        if (blocks < LEAST_BLOCKS || !(value > 0)) {
            return new Estimate(value, Double.NaN, Double.NaN, median);
        }
        int starts = above.starts().size();
        int length = length(blocks);
        double variance = bootstrapVariance(above, below, length) * blocks / (blocks - length);
        double se = Math.sqrt(variance + sides * startSpread * startSpread / starts);
        // Overlapping runs of blocks know their variance as well as 1.5 times as many that do not overlap.
        double freedom = Math.max(1, 1.5 * blocks / length - 1);
        double t = TDistribution.of(freedom).inverseCumulativeProbability(1 - (1 - CONFIDENCE) / 2);
        return new Estimate(value, value * Math.exp(-t * se), value * Math.exp(t * se), median);
    }

    /** Variance of the logarithm of the quotient over drawn blocks: of each start as many as it has. */
    private static double bootstrapVariance(Sums above, @Nullable Sums below, int length) {
        List<double[][]> starts = new ArrayList<>();
        for (int start : above.starts()) {
            Sums a = above.ofStart(start);
            Sums b = below == null ? null : below.ofStart(start);
            double[][] sums = new double[a.blocks().size()][];
            for (int i = 0; i < sums.length; i++) {
                Sums.Block block = a.blocks().get(i);
                Sums.Block other = b == null ? null : b.blocks().get(i);
                sums[i] = new double[] {
                    block.above(), block.below(), other == null ? 0 : other.above(), other == null ? 0 : other.below()
                };
            }
            starts.add(sums);
        }
        // The same blocks give the same interval, whoever computes it.
        Random random = new Random(above.blocks().size());
        double sum = 0;
        double squares = 0;
        for (int draw = 0; draw < DRAWS; draw++) {
            double[] drawn = new double[4];
            for (double[][] sums : starts) {
                for (int i = 0; i < sums.length; i += length) {
                    int first = random.nextInt(sums.length);
                    for (int j = 0; j < length && i + j < sums.length; j++) {
                        double[] block = sums[(first + j) % sums.length];
                        for (int k = 0; k < 4; k++) {
                            drawn[k] += block[k];
                        }
                    }
                }
            }
            double log = Math.log(drawn[0] / drawn[1]) - (below == null ? 0 : Math.log(drawn[2] / drawn[3]));
            sum += log;
            squares += log * log;
        }
        double mean = sum / DRAWS;
        return Math.max(0, squares / DRAWS - mean * mean);
    }

    /**
     * With the spread between the starts of a run, where it has several, pooled over its ratios, beside the one that is
     * committed. Ratios tell it, for what disturbs the machine in one start is in both of their sides.
     *
     * @param workloads the figures of the cells of each workload
     */
    static Estimator of(Collection<List<Sums>> workloads, double committed) {
        double squares = COMMITTED_WEIGHT * committed * committed;
        double freedom = COMMITTED_WEIGHT;
        for (List<Sums> cells : workloads) {
            for (int i = 1; i < cells.size(); i++) {
                Sums above = cells.get(i).shared(cells.get(i - 1));
                Sums below = cells.get(i - 1).shared(cells.get(i));
                List<Integer> starts = above.starts();
                if (starts.size() < 2) {
                    continue;
                }
                double[] logs = new double[starts.size()];
                double within = 0;
                for (int start = 0; start < logs.length; start++) {
                    Sums one = above.ofStart(starts.get(start));
                    Sums other = below.ofStart(starts.get(start));
                    logs[start] = Math.log(one.value() / other.value());
                    within += bootstrapVariance(one, other, length(one.blocks().size())) / logs.length;
                }
                double mean = Arrays.stream(logs).average().orElseThrow();
                double between = Arrays.stream(logs)
                        .map(log -> (log - mean) * (log - mean))
                        .sum();
                // What the blocks' own noise makes two starts differ by is no difference between starts. A ratio has
                // two sides, and so twice the variance of one.
                squares += Math.max(0, between - (logs.length - 1) * within) / 2;
                freedom += logs.length - 1;
            }
        }
        return new Estimator(Math.sqrt(squares / freedom));
    }

    private static int length(int blocks) {
        return Math.max(1, Math.min(RUN, blocks / LEAST_BLOCKS));
    }

    private static double quotient(Sums.Block block) {
        return block.above() / block.below();
    }

    private static double median(double[] values) {
        if (values.length == 0) {
            return Double.NaN;
        }
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
