package dev.chatterbox.results;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Random;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.commons.statistics.distribution.TDistribution;

/**
 * Estimates figures and ratios from the sums of blocks.
 *
 * <p>The standard error of a logarithm is that of a bootstrap that draws runs of five neighbouring blocks, for
 * neighbours correlate (Künsch, <i>The Jackknife and the Bootstrap for General Stationary Observations</i>, 1989), and
 * the part by which two starts of one stack differ for good: se² = se²(blocks) + σ²(start) ÷ starts, twice the latter
 * for a ratio. The interval has Student's t, because few runs of blocks, and few starts, show their own spread badly. Its
 * degrees of freedom are those of the sum of the two variances (Satterthwaite, <i>An Approximate Distribution of
 * Estimates of Variance Components</i>, Biometrics Bulletin 2, 1946).
 *
 * @param startSpread σ(start): the standard deviation of the logarithm of one figure over starts of one stack
 * @param startFreedom the degrees of freedom that it is known with
 */
public record Estimator(double startSpread, double startFreedom) {

    /**
     * The start spread of a run with one start, from 27 starts of two stacks over REST, NATS and Kafka: the runs
     * start-spread, one-commit and burning-responder in docs/results.
     */
    static final double COMMITTED_SPREAD = 0.0185;

    private static final int RUN = 5;
    /** Fewer have no interval. */
    public static final int LEAST_BLOCKS = 4;

    private static final int DRAWS = 2000;
    private static final double CONFIDENCE = 0.99;

    /**
     * The degrees of freedom of the committed spread, and so its weight beside that of a run with several starts. The 42
     * ratios of those starts have a spread of 0.0246, from which the noise of blocks is subtracted: 42 · (0.0185 ÷
     * 0.0246)⁴ by Satterthwaite.
     */
    static final double COMMITTED_FREEDOM = 13;

    /** With a start spread that is known as well as the committed one. */
    Estimator(double startSpread) {
        this(startSpread, COMMITTED_FREEDOM);
    }

    /** With intervals that hold what blocks differ by, and not what starts do. */
    public static Estimator ofBlocks() {
        return new Estimator(0);
    }

    /** A figure of one cell. */
    public Estimate figure(Sums sums) {
        return estimate(sums, sums.ones(), 1);
    }

    /** The ratio of two figures, over the blocks that have both. */
    public Estimate ratio(Sums above, Sums below) {
        return estimate(above.shared(below), below.shared(above), 2);
    }

    private Estimate estimate(Sums above, Sums below, int sides) {
        double value = above.value() / below.value();
        int blocks = above.blocks().size();
        DoubleStream quotients = IntStream.range(0, blocks)
                .mapToDouble(i ->
                        above.blocks().get(i).quotient() / below.blocks().get(i).quotient());
        double median = Quantile.of(0.5, quotients);
        List<Caveat> caveats = Caveat.both(above.caveats(), below.caveats());
        if (blocks < LEAST_BLOCKS || !(value > 0)) {
            return new Estimate(value, Double.NaN, Double.NaN, median, caveats);
        }
        int length = length(blocks);
        double ofBlocks = bootstrapVariance(above, below) * blocks / (blocks - length);
        double ofStarts = sides * startSpread * startSpread / above.starts().size();
        double se = Math.sqrt(ofBlocks + ofStarts);
        // Overlapping runs of blocks know their variance as well as 1.5 times as many that do not overlap.
        double blockFreedom = Math.max(1, 1.5 * blocks / length - 1);
        double freedom = se == 0
                ? 1
                : Math.pow(se, 4) / (ofBlocks * ofBlocks / blockFreedom + ofStarts * ofStarts / startFreedom);
        double t = TDistribution.of(freedom).inverseCumulativeProbability(1 - (1 - CONFIDENCE) / 2);
        return new Estimate(value, value * Math.exp(-t * se), value * Math.exp(t * se), median, caveats);
    }

    /** Variance of the logarithm of the quotient over drawn blocks: of each start as many as it has. */
    private static double bootstrapVariance(Sums above, Sums below) {
        int length = length(above.blocks().size());
        List<double[][]> starts = above.starts().stream()
                .map(start ->
                        both(above.ofStart(start).blocks(), below.ofStart(start).blocks()))
                .toList();
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
                        for (int k = 0; k < drawn.length; k++) {
                            drawn[k] += block[k];
                        }
                    }
                }
            }
            double log = Math.log(drawn[0] / drawn[1]) - Math.log(drawn[2] / drawn[3]);
            sum += log;
            squares += log * log;
        }
        double mean = sum / DRAWS;
        return Math.max(0, squares / DRAWS - mean * mean);
    }

    private static double[][] both(List<Sums.Block> above, List<Sums.Block> below) {
        return IntStream.range(0, above.size())
                .mapToObj(i -> Stream.of(above.get(i), below.get(i))
                        .flatMapToDouble(block -> DoubleStream.of(block.above(), block.below()))
                        .toArray())
                .toArray(double[][]::new);
    }

    /**
     * With the spread between the starts of a run, where it has several, pooled over its ratios, beside the one that is
     * committed. It is taken from ratios, because what disturbs the machine in one start changes both sides of a ratio.
     *
     * @param workloads the figures of the cells of each workload
     */
    static Estimator of(Collection<List<Sums>> workloads, double committed) {
        double squares = COMMITTED_FREEDOM * committed * committed;
        double freedom = COMMITTED_FREEDOM;
        for (List<Sums> cells : workloads) {
            for (int i = 1; i < cells.size(); i++) {
                squares += startSquares(cells.get(i), cells.get(i - 1));
                freedom += startFreedom(cells.get(i), cells.get(i - 1));
            }
        }
        return new Estimator(Math.sqrt(Math.max(0, squares) / freedom), freedom);
    }

    /** The degrees of freedom with which the ratio of two figures shows the spread between starts. */
    static int startFreedom(Sums one, Sums other) {
        return Math.max(0, one.shared(other).starts().size() - 1);
    }

    /** The sum of squares of one figure over the starts, from the ratio of two figures. 0 for one start. */
    static double startSquares(Sums one, Sums other) {
        Sums above = one.shared(other);
        Sums below = other.shared(one);
        List<Integer> starts = above.starts();
        if (starts.size() < 2) {
            return 0;
        }
        double[] logs = starts.stream()
                .mapToDouble(start -> Math.log(
                        above.ofStart(start).value() / below.ofStart(start).value()))
                .toArray();
        double within = starts.stream()
                .mapToDouble(start -> bootstrapVariance(above.ofStart(start), below.ofStart(start)))
                .average()
                .orElseThrow();
        double mean = Arrays.stream(logs).average().orElseThrow();
        double between =
                Arrays.stream(logs).map(log -> (log - mean) * (log - mean)).sum();
        // The noise of the blocks makes two starts differ, too, and is no difference between starts. A ratio has two
        // sides, and so twice the variance of one. A negative sum belongs to the mean over many ratios.
        return (between - (logs.length - 1) * within) / 2;
    }

    private static int length(int blocks) {
        return Math.max(1, Math.min(RUN, blocks / LEAST_BLOCKS));
    }
}
