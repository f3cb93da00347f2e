package dev.chatterbox.results;

import dev.chatterbox.workloads.Workload;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The cells of one workload by what a call costs, cheapest first.
 *
 * <p>All differences between its variants are sure together: the chance that one or more of them is none is at most 1 %
 * (Holm, <i>A Simple Sequentially Rejective Multiple Test Procedure</i>, Scandinavian Journal of Statistics 6, 1979).
 *
 * @param places in this order; cells that are not ranked come last, without a rank
 * @param pairs of the ranked variants, the surest difference first
 */
public record Ranking(Workload workload, List<Place> places, List<Pair> pairs) {

    /** Two variants that differ by less than this are ties, however sure the difference is. */
    static final double LEAST = 0.05;

    /**
     * Two ranked variants.
     *
     * @param ratio the cost of the second, divided by that of the first, which is not larger over all its blocks
     * @param chance the chance that variants which cost the same show so rare a difference in any pair of the ranking
     * @param smallestDifference the smallest part by which the second must cost more to be told from the first
     */
    public record Pair(Cell first, Cell second, Estimate ratio, double chance, double smallestDifference) {

        private static Pair of(Cell first, Cell second, Estimator estimator, double level) {
            Estimator.Comparison compared = estimator.compare(Sums.cpu(second), Sums.cpu(first));
            double least = Math.max(LEAST, compared.smallestDifference(level));
            return new Pair(first, second, compared.ratio(), compared.chance(), least);
        }

        /** Whether the second costs more: surely, and by more than {@value #LEAST}. */
        public boolean differs() {
            return chance <= Estimator.LEVEL && ratio.value() > 1 + LEAST;
        }

        private boolean isTieOf(Cell cell) {
            return !differs() && (first == cell || second == cell);
        }
    }

    /**
     * A variant's place.
     *
     * @param cost CPU-microseconds of the system per call
     * @param toCheapest the cost divided by that of the cheapest ranked variant: 1 without an interval for this variant
     *     itself, and nothing for a cell that is not ranked
     * @param price what the variant costs above the {@code memory} variant, in CPU-microseconds per call; nothing if
     *     there is no such variant
     * @param rank 1 + the number of ranked variants that cost less; 0 for a cell that is not ranked
     * @param ties the ranked variants from which it cannot be told apart
     */
    public record Place(
            Cell cell,
            Estimate cost,
            Estimate toCheapest,
            Estimate throughput,
            Estimate price,
            int rank,
            List<String> ties) {

        public String variant() {
            return cell.variant();
        }
    }

    /** @param cells the cells of one workload and one side, without bare clients */
    public static Ranking of(Workload workload, List<Cell> cells, Estimator estimator) {
        List<Cell> sorted = cells.stream()
                .sorted(Comparator.comparing((Cell cell) -> !cell.isRanked())
                        .thenComparing(cell -> Sums.cpu(cell).value())
                        .thenComparing(Cell::variant))
                .toList();
        List<Cell> ranked = sorted.stream().filter(Cell::isRanked).toList();
        Optional<Cell> memory = cells.stream().filter(Cell::isZeroLine).findFirst();
        List<Pair> pairs = pairs(ranked, estimator);
        List<Place> places = sorted.stream()
                .map(cell -> new Place(
                        cell,
                        estimator.figure(Sums.cpu(cell)),
                        toCheapest(cell, ranked, estimator),
                        estimator.figure(Sums.throughput(cell)),
                        memory.map(zero -> price(cell, zero)).orElse(Estimate.NONE),
                        cell.isRanked()
                                ? 1
                                        + (int) pairs.stream()
                                                .filter(pair -> pair.second == cell && pair.differs())
                                                .count()
                                : 0,
                        pairs.stream()
                                .filter(pair -> pair.isTieOf(cell))
                                .map(pair -> (pair.first == cell ? pair.second : pair.first).variant())
                                .toList()))
                .toList();
        return new Ranking(workload, places, pairs);
    }

    /** By Holm: the rarest of m differences is held against 1 ÷ m of the level, the next one against 1 ÷ (m − 1). */
    private static List<Pair> pairs(List<Cell> ranked, Estimator estimator) {
        int count = ranked.size() * (ranked.size() - 1) / 2;
        List<Pair> pairs = new ArrayList<>();
        for (int i = 0; i < ranked.size(); i++) {
            for (int j = 0; j < i; j++) {
                pairs.add(Pair.of(ranked.get(j), ranked.get(i), estimator, Estimator.LEVEL / count));
            }
        }
        pairs.sort(Comparator.comparingDouble(Pair::chance));
        double chance = 0;
        for (int i = 0; i < count; i++) {
            Pair pair = pairs.get(i);
            chance = Math.max(chance, Math.min(1, (count - i) * pair.chance));
            pairs.set(i, new Pair(pair.first, pair.second, pair.ratio, chance, pair.smallestDifference));
        }
        return List.copyOf(pairs);
    }

    /**
     * The smallest part by which the run could have told any two ranked variants apart: 0.08 is 8 %; NaN of fewer
     * variants.
     */
    public double smallestDifference() {
        return pairs.stream().mapToDouble(Pair::smallestDifference).max().orElse(Double.NaN);
    }

    private static Estimate price(Cell cell, Cell zero) {
        return cell.isZeroLine()
                ? Estimate.NONE
                : cell.figure(Sums.cpu(cell).value() - Sums.cpu(zero).value()).with(zero.caveats());
    }

    private static Estimate toCheapest(Cell cell, List<Cell> ranked, Estimator estimator) {
        if (!cell.isRanked()) {
            return Estimate.NONE;
        }
        return ranked.get(0) == cell ? cell.figure(1) : estimator.ratio(Sums.cpu(cell), Sums.cpu(ranked.get(0)));
    }

    /** The cells in the order of their places. */
    public List<Cell> cells() {
        return places.stream().map(Place::cell).toList();
    }
}
