package dev.chatterbox.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Finds what starts differ by, and that the committed numbers are those of the runs in the repository. */
class StartSpreadTests {

    private static final Function<VariantClass, Double> NO_DIFFERENCE = variants -> 0.0;

    private final Random random = new Random(11);

    @Test
    void eachClassHasTheSpreadOfItsOwnStarts() {
        Map<VariantClass, Double> sums = new EnumMap<>(VariantClass.class);
        int runs = 60;
        for (int run = 0; run < runs; run++) {
            measured(List.of(workload(4, starts(4, variants -> variants == VariantClass.DIRECT ? 0.08 : 0.02))))
                    .forEach((variants, found) -> sums.merge(variants, found.value() / runs, Double::sum));
        }

        assertThat(Math.sqrt(sums.get(VariantClass.DIRECT))).isCloseTo(0.08, within(0.008));
        assertThat(Math.sqrt(sums.get(VariantClass.JVM_BROKER))).isCloseTo(0.02, within(0.01));
    }

    /** The starts are the same under each workload, and so are their differences. */
    @Test
    void moreWorkloadsAddNoDegreesOfFreedom() {
        double[][] starts = starts(3, NO_DIFFERENCE);

        Map<VariantClass, Variance> one = measured(List.of(workload(3, starts)));
        Map<VariantClass, Variance> many =
                measured(List.of(workload(3, starts), workload(3, starts), workload(3, starts)));

        // Two starts more than one, in six cells of which one is the measure of the others.
        assertThat(one.values().stream().mapToDouble(Variance::freedom).sum()).isLessThan(2 * 5);
        assertThat(many.get(VariantClass.DIRECT).freedom())
                .isLessThan(2 * one.get(VariantClass.DIRECT).freedom());
    }

    /** If new runs of several starts are added, the numbers of {@link VariantClass} become those that this test finds. */
    @Test
    void theCommittedSpreadsAreThoseOfTheRunsInTheRepository() throws IOException {
        Map<VariantClass, Variance> found = new EnumMap<>(VariantClass.class);
        try (Stream<Path> files = Files.list(Path.of("../../docs/results"))) {
            files.filter(
                            file -> file.toString()
                                    .matches(
                                            ".*/(start-spread|one-commit-.|burning-responder-.|headline-(epyc|jdk17))\\.json\\.gz"))
                    .sorted()
                    .map(ResultsFile::read)
                    .map(run -> measured(costs(run)))
                    .forEach(run ->
                            run.forEach((variants, spread) -> found.merge(variants, spread, StartSpreadTests::and)));
        }

        assertThat(found).doesNotContainKey(VariantClass.PYTHON);
        assertThat(found).hasSize(3).allSatisfy((variants, spread) -> {
            Variance committed = variants.startSpread();
            assertThat(Math.sqrt(committed.value())).isCloseTo(Math.sqrt(spread.value()), within(0.00006));
            assertThat(committed.freedom()).isCloseTo(spread.freedom(), within(0.06));
        });
    }

    /** For each of three cells of two classes, how much each start changes it. */
    private double[][] starts(int starts, Function<VariantClass, Double> spread) {
        return Stream.of(VariantClass.DIRECT, VariantClass.JVM_BROKER)
                .flatMap(variants -> Stream.generate(() -> random.doubles(starts)
                                .map(uniform -> spread.apply(variants) * random.nextGaussian())
                                .toArray())
                        .limit(3))
                .toArray(double[][]::new);
    }

    private List<Sums> workload(int starts, double[][] differences) {
        List<Sums> cells = new ArrayList<>();
        for (int cell = 0; cell < differences.length; cell++) {
            List<Sums.Block> blocks = new ArrayList<>();
            for (int start = 1; start <= starts; start++) {
                for (int block = 1; block <= 12; block++) {
                    double noise = differences[cell][start - 1] + 0.03 * random.nextGaussian();
                    blocks.add(new Sums.Block(start, block, 1000 * Math.exp(noise), 1));
                }
            }
            cells.add(new Sums(cell < 3 ? VariantClass.DIRECT : VariantClass.JVM_BROKER, blocks, List.of()));
        }
        return cells;
    }

    private static List<List<Sums>> costs(Results run) {
        return run.workloads().stream()
                .map(workload -> run.variants(workload).stream().map(Sums::cpu).toList())
                .toList();
    }

    /** A spread of this size gives a run its weight: the noise in it is compared with this. */
    private static final double LIKELY = 0.02;

    /**
     * The spread of the starts of one run, by class. It comes from ratios, for what disturbs the machine in one start
     * changes both sides. The same processes carry out all workloads of a start, so more workloads show their
     * difference more exactly, and have no more degrees of freedom than one.
     *
     * @param workloads the figures of the cells of each workload
     * @return nothing for a class that the run does not show
     */
    static Map<VariantClass, Variance> measured(Collection<List<Sums>> workloads) {
        Map<VariantClass, List<Variance>> shown = new EnumMap<>(VariantClass.class);
        for (List<Sums> workload : workloads) {
            ofWorkload(workload)
                    .forEach((variants, variance) -> shown.computeIfAbsent(variants, none -> new ArrayList<>())
                            .add(variance));
        }
        Map<VariantClass, Variance> measured = new EnumMap<>(VariantClass.class);
        shown.forEach((variants, found) -> measured.put(
                variants,
                new Variance(
                        found.stream()
                                .reduce(StartSpreadTests::and)
                                .orElseThrow()
                                .value(),
                        found.stream().mapToDouble(Variance::freedom).max().orElseThrow())));
        return measured;
    }

    private static Map<VariantClass, Variance> ofWorkload(List<Sums> workload) {
        long starts =
                workload.stream().mapToLong(cell -> starts(cell).size()).max().orElse(0);
        List<Sums> cells =
                workload.stream().filter(cell -> starts(cell).size() == starts).toList();
        Map<VariantClass, Variance> sums = new EnumMap<>(VariantClass.class);
        if (starts > 1 && cells.size() > 1) {
            List<Seen> means = cells.stream().map(cell -> mean(cell, cells)).toList();
            double mean = means.stream().mapToDouble(Seen::variance).average().orElseThrow() / 2;
            for (int i = 0; i < cells.size(); i++) {
                sums.merge(
                        cells.get(i).variants(),
                        ofCell(means.get(i), mean, cells.size(), starts),
                        StartSpreadTests::and);
            }
        }
        return sums;
    }

    /** The starts with enough blocks to show what they differ by themselves. */
    private static List<Integer> starts(Sums cell) {
        return cell.starts().stream()
                .filter(start -> cell.ofStart(start).blocks().size() >= Estimator.LEAST_BLOCKS)
                .toList();
    }

    /**
     * What ratios showed over the starts.
     *
     * @param variance of their logarithms, without the noise
     * @param noise the part of this variance that comes from the blocks
     */
    private record Seen(double variance, double noise) {}

    /** The mean over the ratios of a cell to the others. */
    private static Seen mean(Sums cell, List<Sums> cells) {
        List<Seen> ratios = cells.stream()
                .filter(other -> other != cell)
                .map(other -> ofRatio(cell.shared(other), other.shared(cell)))
                .toList();
        return new Seen(
                ratios.stream().mapToDouble(Seen::variance).average().orElseThrow(),
                ratios.stream().mapToDouble(Seen::noise).average().orElseThrow());
    }

    private static Seen ofRatio(Sums above, Sums below) {
        List<Integer> starts = starts(above);
        double[] logs = starts.stream()
                .mapToDouble(start -> Math.log(
                        above.ofStart(start).value() / below.ofStart(start).value()))
                .toArray();
        double mean = DoubleStream.of(logs).average().orElse(0);
        double squares =
                DoubleStream.of(logs).map(log -> (log - mean) * (log - mean)).sum();
        double noise = starts.stream()
                .map(start -> Estimator.ofBlocks(above.ofStart(start), below.ofStart(start)))
                .mapToDouble(parts -> Variance.ofSum(parts).value())
                .average()
                .orElse(0);
        return new Seen(squares / Math.max(1, logs.length - 1) - noise, noise);
    }

    /**
     * The variance v of one of n cells. A ratio has the sum of two, so the mean of a cell's ratios is v + (nv̄ − v) ÷
     * (n − 1), where v̄ is the mean over all cells. It is known the worse, the more noise there was.
     */
    private static Variance ofCell(Seen ofRatios, double mean, double n, long starts) {
        double variance = n == 2 ? mean : ((n - 1) * ofRatios.variance - n * mean) / (n - 2);
        double noise = 1 + ofRatios.noise / 2 / (LIKELY * LIKELY);
        return new Variance(variance, (starts - 1) * (n - 1) / n / (noise * noise));
    }

    /** The same variance by two independent estimates. */
    private static Variance and(Variance one, Variance other) {
        double all = one.freedom() + other.freedom();
        return new Variance((one.freedom() * one.value() + other.freedom() * other.value()) / all, all);
    }
}
