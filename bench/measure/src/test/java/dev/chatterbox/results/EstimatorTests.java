package dev.chatterbox.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Random runs with known true values. Neighbours correlate; what disturbs a block hits both sides of a ratio. */
class EstimatorTests {

    private static final int RUNS = 500;

    private final Random random = new Random(7);

    @Test
    void holdsTheTrueRatioAsOftenAsItSays() {
        int held = 0;
        double widths = 0;
        for (int run = 0; run < RUNS; run++) {
            List<Sums> both = drawn(1.2, 24, 1, 0);
            Estimate ratio = estimator(0).ratio(both.get(1), both.get(0));
            held += ratio.from() < 1.2 && 1.2 < ratio.to() ? 1 : 0;
            widths += ratio.width() / RUNS;
        }

        assertThat(held / (double) RUNS).isGreaterThan(0.97);
        assertThat(widths).isLessThan(0.1);
    }

    @Test
    void countsWhatStartsDifferBy() {
        int without = 0;
        int held = 0;
        for (int run = 0; run < RUNS; run++) {
            List<Sums> both = drawn(1, 20, 2, 0.05);
            without += holdsOne(estimator(0), both);
            held += holdsOne(estimator(0.05), both);
        }

        assertThat(held / (double) RUNS).isGreaterThan(0.97);
        assertThat(without / (double) RUNS).isLessThan(0.9);
    }

    /** One start does not show the spread between starts, and a few blocks hardly show their own spread. */
    @Test
    void holdsTheTrueRatioOfOneStartAsOftenAsItSays() {
        int held = 0;
        double widths = 0;
        for (int run = 0; run < RUNS; run++) {
            List<Sums> both = drawn(1, 25, 1, 0.02);
            held += holdsOne(estimator(0.02), both);
            widths += estimator(0.02).ratio(both.get(1), both.get(0)).width() / RUNS;
        }

        assertThat(held / (double) RUNS).isBetween(0.97, 0.999);
        assertThat(widths).isLessThan(0.13);
    }

    /**
     * The planted flaw: runs as long as a start have no spread at all, and B ÷ (B − ℓ) over all blocks is too little.
     */
    @Test
    void holdsTheTrueRatioOfShortStartsAsOftenAsItSays() {
        int held = 0;
        for (int run = 0; run < RUNS; run++) {
            held += holdsOne(estimator(0), drawn(1, 5, 4, 0));
        }

        assertThat(held / (double) RUNS).isGreaterThan(0.96);
    }

    /** A start of one block has nothing to differ from, which is no certainty. */
    @Test
    void holdsTheTrueRatioWhereEachStartHasOneBlock() {
        int held = 0;
        for (int run = 0; run < RUNS; run++) {
            held += holdsOne(estimator(0), drawn(1, 1, 6, 0.05));
        }

        assertThat(held / (double) RUNS).isGreaterThan(0.97);
    }

    @Test
    void twoSidesOfOneClassDoNotKnowTheirSpreadBetterThanOneDoes() {
        List<Sums> both = drawn(1, 20, 1, 0);
        Sums direct = new Sums(VariantClass.DIRECT, both.get(1).blocks(), List.of());
        Variance spread = new Variance(1, 5);
        Estimator estimator = new Estimator(variants -> spread);

        assertThat(estimator.compare(both.get(0), both.get(1)).student().getDegreesOfFreedom())
                .isCloseTo(5, within(0.1));
        assertThat(estimator.compare(both.get(0), direct).student().getDegreesOfFreedom())
                .isCloseTo(10, within(0.1));
    }

    @Test
    void hasNoIntervalForAFewBlocks() {
        List<Sums> both = drawn(2, 3, 1, 0);

        Estimate ratio = estimator(0.02).ratio(both.get(1), both.get(0));

        assertThat(ratio.hasInterval()).isFalse();
        assertThat(ratio.leavesOutOne()).isFalse();
        assertThat(ratio.value()).isCloseTo(2, within(0.3));
    }

    @Test
    void comparesTheBlocksThatBothHave() {
        Sums every = new Sums(VariantClass.BROKER, List.of(block(1, 10), block(2, 10), block(3, 1000)), List.of());
        Sums some = new Sums(VariantClass.BROKER, List.of(block(1, 20), block(2, 20)), List.of());

        assertThat(estimator(0).ratio(some, every).value()).isEqualTo(2);
    }

    private static Estimator estimator(double sigma) {
        return new Estimator(variants -> new Variance(sigma * sigma, 13));
    }

    private static int holdsOne(Estimator estimator, List<Sums> both) {
        Estimate ratio = estimator.ratio(both.get(1), both.get(0));
        return ratio.from() < 1 && 1 < ratio.to() ? 1 : 0;
    }

    private static Sums.Block block(int number, double above) {
        return new Sums.Block(1, number, above, 1);
    }

    /** Two variants in the same blocks. */
    private List<Sums> drawn(double ratio, int blocks, int starts, double startSpread) {
        List<Sums.Block> one = new ArrayList<>();
        List<Sums.Block> other = new ArrayList<>();
        for (int start = 1; start <= starts; start++) {
            double oneStart = random.nextGaussian() * startSpread;
            double otherStart = random.nextGaussian() * startSpread;
            double weather = 0;
            double own = 0;
            for (int number = 1; number <= blocks; number++) {
                weather = 0.7 * weather + 0.15 * random.nextGaussian();
                own = 0.3 * own + 0.05 * random.nextGaussian();
                one.add(new Sums.Block(
                        start, number, 1000 * Math.exp(weather + oneStart + 0.05 * random.nextGaussian()), 1000));
                other.add(new Sums.Block(start, number, 1000 * ratio * Math.exp(weather + otherStart + own), 1000));
            }
        }
        return List.of(new Sums(VariantClass.BROKER, one, List.of()), new Sums(VariantClass.BROKER, other, List.of()));
    }
}
