package dev.chatterbox.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.chatterbox.workloads.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
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
            Estimate ratio = new Estimator(0).ratio(both.get(1), both.get(0));
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
            without += holdsOne(new Estimator(0), both);
            held += holdsOne(new Estimator(0.05), both);
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
            held += holdsOne(new Estimator(0.02), both);
            widths += new Estimator(0.02).ratio(both.get(1), both.get(0)).width() / RUNS;
        }

        assertThat(held / (double) RUNS).isBetween(0.97, 0.999);
        assertThat(widths).isLessThan(0.13);
    }

    @Test
    void learnsTheSpreadOfStartsBesideTheCommittedOne() {
        List<List<Sums>> cells = new ArrayList<>();
        for (int cell = 0; cell < 20; cell++) {
            cells.add(drawn(1, 20, 4, 0.06));
        }

        assertThat(Estimator.of(cells, 0.06).startSpread()).isCloseTo(0.06, within(0.015));
        assertThat(Estimator.of(cells, 0.01).startSpread()).isCloseTo(0.057, within(0.015));
        assertThat(Estimator.of(List.of(), 0.02).startSpread()).isCloseTo(0.02, within(1e-9));
    }

    @Test
    void theCommittedSpreadIsThatOfTheRunsInTheRepository() throws IOException {
        double squares = 0;
        int freedom = 0;
        for (Results run : runsOfTwoSides()) {
            for (Workload workload : run.workloads()) {
                for (Cell cell : run.variants(workload)) {
                    if ("this".equals(cell.side())) {
                        Sums one = Sums.cpu(cell);
                        Sums base = Sums.cpu(
                                run.cell(cell.variant(), workload, "base").orElseThrow());
                        squares += Estimator.startSquares(one, base);
                        freedom += Estimator.startFreedom(one, base);
                    }
                }
            }
        }

        assertThat(freedom).isEqualTo(42);
        assertThat(Math.sqrt(squares / freedom)).isCloseTo(Estimator.COMMITTED_SPREAD, within(0.0001));
    }

    private static List<Results> runsOfTwoSides() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("../../docs/results"))) {
            return files.filter(file ->
                            file.toString().matches(".*/(start-spread|one-commit-.|burning-responder-.)\\.json\\.gz"))
                    .sorted()
                    .map(ResultsFile::read)
                    .toList();
        }
    }

    @Test
    void hasNoIntervalForAFewBlocks() {
        List<Sums> both = drawn(2, 3, 1, 0);

        Estimate ratio = new Estimator(0.02).ratio(both.get(1), both.get(0));

        assertThat(ratio.hasInterval()).isFalse();
        assertThat(ratio.isLessThanOneBy(0)).isFalse();
        assertThat(ratio.value()).isCloseTo(2, within(0.3));
    }

    @Test
    void comparesTheBlocksThatBothHave() {
        Sums every = new Sums(List.of(block(1, 10), block(2, 10), block(3, 1000)), List.of());
        Sums some = new Sums(List.of(block(1, 20), block(2, 20)), List.of());

        assertThat(new Estimator(0).ratio(some, every).value()).isEqualTo(2);
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
        return List.of(new Sums(one, List.of()), new Sums(other, List.of()));
    }
}
