package dev.chatterbox.results;

import dev.chatterbox.workloads.Workload;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The cells of one workload by what a call costs, cheapest first.
 *
 * @param places in this order; cells that are not ranked come last, without a rank
 * @param smallestDifference the smallest part by which the run could have told two of its ranked variants apart: 0.08 is 8
 *     %; NaN if fewer than two are ranked
 */
public record Ranking(Workload workload, List<Place> places, double smallestDifference) {

    /** Two variants that differ by less than this are ties, however sure the difference is. */
    static final double LEAST = 0.05;

    /**
     * A variant's place.
     *
     * @param cost CPU-microseconds of the system per call
     * @param toCheapest the cost divided by that of the cheapest ranked variant: 1 without an interval for this variant itself,
     *     and nothing for a cell that is not ranked
     * @param price what the variant costs above the {@code memory} variant, in CPU-microseconds per call; nothing if there is no
     *     such variant
     * @param rank 1 + the number of ranked variants that cost less with 99 % confidence; 0 for a cell that is not ranked
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
        List<Place> places = new ArrayList<>();
        double seen = Double.NaN;
        for (Cell cell : sorted) {
            Sums cost = Sums.cpu(cell);
            int cheaper = 0;
            List<String> ties = new ArrayList<>();
            for (Cell other : ranked) {
                if (other == cell || !cell.isRanked()) {
                    continue;
                }
                Estimate ratio = estimator.ratio(Sums.cpu(other), cost);
                if (ratio.isLessThanOneBy(LEAST)) {
                    cheaper++;
                } else if (!ratio.inverse().isLessThanOneBy(LEAST)) {
                    ties.add(other.variant());
                }
                double least = Math.max(LEAST, ratio.width());
                seen = Double.isNaN(seen) ? least : Math.max(seen, least);
            }
            places.add(new Place(
                    cell,
                    estimator.figure(cost),
                    toCheapest(cell, ranked, estimator),
                    estimator.figure(Sums.throughput(cell)),
                    memory.map(zero -> price(cell, zero)).orElse(Estimate.NONE),
                    cell.isRanked() ? 1 + cheaper : 0,
                    List.copyOf(ties)));
        }
        return new Ranking(workload, List.copyOf(places), seen);
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
