package dev.chatterbox.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.chatterbox.workloads.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Made-up cells of twenty blocks, with some per cent of noise that all variants share, and little noise of their own.
 */
class RankingTests {

    static final Workload WORKLOAD = Workload.parse("unary calls=100 users=25");

    private final List<Double> weather = new ArrayList<>();
    private final Random random = new Random(3);

    RankingTests() {
        for (int block = 0; block < 20; block++) {
            weather.add(1 + 0.2 * random.nextDouble());
        }
    }

    /** @param micros CPU-microseconds per call */
    private Cell cell(String variant, String kind, double micros, double noise, String... doubts) {
        List<SliceFigures> slices = new ArrayList<>();
        for (int block = 1; block <= weather.size(); block++) {
            double cost = micros * weather.get(block - 1) * (1 + noise * (random.nextDouble() - 0.5));
            slices.add(new SliceFigures(
                    1,
                    block,
                    0.5,
                    100,
                    10_000,
                    Map.of(
                            Role.AGGREGATOR,
                            Math.round(cost * 10_000 * 700),
                            Role.BROKER,
                            Math.round(cost * 10_000 * 300),
                            Role.GENERATOR,
                            1L),
                    0,
                    0.3,
                    false,
                    Map.of(),
                    List.of()));
        }
        return new Cell(
                variant,
                null,
                false,
                kind,
                WORKLOAD,
                100,
                0,
                slices,
                Latency.NONE,
                Map.of(),
                null,
                List.of(doubts),
                null);
    }

    private static Estimator estimator(double sigma) {
        return new Estimator(variants -> new Variance(sigma * sigma, 13));
    }

    private static Ranking ranking(Cell... cells) {
        return Ranking.of(WORKLOAD, List.of(cells), estimator(0.01));
    }

    private static Ranking.Place place(Ranking ranking, String variant) {
        return ranking.places().stream()
                .filter(place -> place.cell().variant().equals(variant))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void ranksByWhatIsCheaperBeyondDoubtAndSaysTies() {
        Ranking ranking = ranking(
                cell("rest", "direct", 40, 0.05),
                cell("nats", "broker", 10, 0.05),
                cell("kafka", "log", 10.2, 0.05),
                cell("rabbitmq", "broker", 20, 0.05));

        assertThat(ranking.places()).extracting(place -> place.cell().variant()).endsWith("rabbitmq", "rest");
        assertThat(place(ranking, "nats").rank()).isEqualTo(1);
        assertThat(place(ranking, "kafka").rank()).isEqualTo(1);
        assertThat(place(ranking, "kafka").ties()).containsExactly("nats");
        assertThat(place(ranking, "rabbitmq").rank()).isEqualTo(3);
        assertThat(place(ranking, "rabbitmq").ties()).isEmpty();
        assertThat(place(ranking, "rest").rank()).isEqualTo(4);
        assertThat(place(ranking, "rest").toCheapest().value()).isCloseTo(4, within(0.15));
        assertThat(ranking.smallestDifference()).isBetween(Ranking.LEAST, 0.15);
    }

    @Test
    void aDifferenceOfLessThanFivePerCentIsATieHoweverSure() {
        Ranking ranking = ranking(cell("nats", "broker", 10, 0.001), cell("kafka", "log", 10.4, 0.001));

        assertThat(Ranking.of(
                                WORKLOAD,
                                List.of(cell("a", "log", 10, 0.001), cell("b", "log", 10.4, 0.001)),
                                estimator(0))
                        .places())
                .allSatisfy(place -> assertThat(place.rank()).isEqualTo(1));
        assertThat(ranking.smallestDifference()).isGreaterThanOrEqualTo(Ranking.LEAST);
    }

    /** Uncorrected, one of six of these rankings has two variants that differ, though all ten cost the same. */
    @Test
    void variantsThatCostTheSameAreTiesInNearlyEveryRanking() {
        int wrong = 0;
        for (int run = 0; run < 200; run++) {
            Ranking ranking = Ranking.of(
                    WORKLOAD,
                    IntStream.range(0, 10)
                            .mapToObj(i -> cell("variant-" + i, "broker", 10, 0.8))
                            .toList(),
                    Estimator.ofBlocks());
            wrong += ranking.pairs().stream().anyMatch(Ranking.Pair::differs) ? 1 : 0;
        }

        assertThat(wrong).isLessThanOrEqualTo(5);
    }

    @Test
    void comparesEveryTwoRankedVariantsTheSurestFirst() {
        Ranking ranking = ranking(
                cell("rest", "direct", 40, 0.05), cell("nats", "broker", 10, 0.05), cell("kafka", "log", 10.2, 0.05));

        assertThat(ranking.pairs())
                .extracting(pair -> pair.first().variant() + " " + pair.second().variant() + " " + pair.differs())
                .containsExactlyInAnyOrder("nats rest true", "kafka rest true", "nats kafka false")
                .last()
                .isEqualTo("nats kafka false");
        assertThat(ranking.pairs().get(2).ratio().value()).isCloseTo(1.02, within(0.03));
    }

    /**
     * A rehearsal judges a variant under some workloads; its cell under another one may be cold, and stored ones too.
     */
    @Test
    void aCellWhoseCompilersWereAtWorkInMostSlicesIsShownAndNotRanked() {
        Cell warm = cell("nats", "broker", 10, 0);
        Cell cold = withCompilers(warm, warm.slices().size());
        Cell lateCompilation = withCompilers(warm, 1);

        assertThat(warm.caveats()).isEmpty();
        assertThat(lateCompilation.caveats()).isEmpty();
        assertThat(cold.isRanked()).isFalse();
        assertThat(cold.caveats())
                .containsExactly(new Caveat("nats", "its compilers took 10.0 % of its CPU time in the median slice"));
    }

    /** The cell with the compilers at work in so many of its slices, the first ones. */
    private static Cell withCompilers(Cell cell, int slices) {
        return new Cell(
                cell.variant(),
                null,
                false,
                cell.kind(),
                WORKLOAD,
                100,
                0,
                IntStream.range(0, cell.slices().size())
                        .mapToObj(i -> i < slices
                                ? withCompilers(cell.slices().get(i))
                                : cell.slices().get(i))
                        .toList(),
                Latency.NONE,
                Map.of(),
                null,
                List.of(),
                null);
    }

    private static SliceFigures withCompilers(SliceFigures slice) {
        return new SliceFigures(
                slice.start(),
                slice.block(),
                slice.seconds(),
                slice.requests(),
                slice.calls(),
                slice.cpuNanos(),
                slice.systemNanos() / 9,
                0.3,
                false,
                Map.of(),
                List.of());
    }

    @Test
    void hasThePriceOfTheTransportAboveTheVariantWithoutOne() {
        Ranking ranking = ranking(cell("nats", "broker", 10, 0), cell("memory", "memory", 4, 0));

        double weather =
                this.weather.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
        assertThat(place(ranking, "nats").price().value()).isCloseTo(6 * weather, within(0.01));
        assertThat(place(ranking, "memory").rank()).as("it is no transport").isZero();
        assertThat(place(ranking, "memory").price().value()).isNaN();
        assertThat(place(ranking, "nats").rank()).isEqualTo(1);
    }

    @Test
    void showsACellThatIsInDoubtLastAndDoesNotRankIt() {
        Ranking ranking = ranking(cell("nats", "broker", 10, 0, "it was not warm"), cell("rest", "direct", 40, 0));

        assertThat(ranking.places()).extracting(place -> place.cell().variant()).containsExactly("rest", "nats");
        assertThat(place(ranking, "nats").rank()).isZero();
        assertThat(place(ranking, "rest").rank()).isEqualTo(1);
        assertThat(ranking.smallestDifference()).isNaN();
    }

    /** Whoever prints a ratio prints what is to be said of both of its sides. */
    @Test
    void aFigureHasTheCaveatsOfAllThatItIsMadeOf() {
        Cell cold = cell("nats", "broker", 10, 0, "it was not warm");
        Cell odd = cell("rest", "direct", 40, 0, "the generator is the limit");
        Cell memory = cell("memory", "memory", 4, 0, "other programs were busy");
        Estimator estimator = Estimator.ofBlocks();

        assertThat(estimator.figure(Sums.cpu(cold)).caveats()).containsExactly(new Caveat("nats", "it was not warm"));
        assertThat(estimator
                        .ratio(Sums.throughput(cold), Sums.throughput(odd))
                        .times(2)
                        .caveats())
                .containsExactly(
                        new Caveat("nats", "it was not warm"), new Caveat("rest", "the generator is the limit"));
        assertThat(place(Ranking.of(WORKLOAD, List.of(cold, memory), estimator), "nats")
                        .price()
                        .caveats())
                .extracting(Caveat::of)
                .containsExactly("nats", "memory");
        assertThat(cold.figure(3).caveats()).isEqualTo(cold.caveats());
        assertThat(cell("kafka", "log", 10, 0).caveats()).isEmpty();
    }

    @Test
    void showsACellOfWhichNoRequestWasAnswered() {
        Cell rest = cell("rest", "direct", 40, 0);
        SliceFigures failed = new SliceFigures(
                1,
                0,
                5,
                0,
                0,
                Map.of(Role.AGGREGATOR, 0L),
                0,
                0,
                false,
                Map.of(),
                List.of("no request was answered right"));
        Cell nats = new Cell(
                "nats",
                null,
                false,
                "broker",
                WORKLOAD,
                100,
                0,
                List.of(failed),
                Latency.NONE,
                Map.of(),
                null,
                List.of(),
                null);

        Ranking ranking = ranking(nats, rest);

        assertThat(nats.valid()).isFalse();
        assertThat(nats.caveats()).containsExactly(new Caveat("nats", "only 0 of 1 slices count"));
        assertThat(place(ranking, "nats").rank()).isZero();
        assertThat(place(ranking, "rest").rank()).isEqualTo(1);
        assertThat(ranking.places()).extracting(place -> place.cell().variant()).containsExactly("rest", "nats");
    }
}
