package dev.chatterbox.results;

import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

/**
 * A figure that is a quotient of two sums over blocks: CPU time by calls, or requests by time.
 *
 * @param variants the class of the cell's variant
 * @param blocks the blocks that count, in order of time
 * @param caveats those of the cell
 */
public record Sums(VariantClass variants, List<Block> blocks, List<Caveat> caveats) {

    /** @param above is divided by {@code below}, which is more than 0 */
    public record Block(int start, int block, double above, double below) {

        boolean isOf(Block other) {
            return start == other.start && block == other.block;
        }
    }

    /** CPU-microseconds of the whole system per right call, over the slices whose CPU time is known. */
    public static Sums cpu(Cell cell) {
        return of(cell, slice -> slice.systemNanos() / 1e3, Sums::callsWithCpu);
    }

    /** CPU-microseconds of one role's processes per right call. */
    public static Sums cpu(Cell cell, String role) {
        return of(cell, slice -> slice.cpuNanos(role) / 1e3, Sums::callsWithCpu);
    }

    private static double callsWithCpu(SliceFigures slice) {
        return slice.cpuNanos().isEmpty() ? 0 : slice.calls();
    }

    /**
     * Right requests per second, from a slice's first request to its last answer; of a bare client, calls; of a queue,
     * while its messages were on their way.
     */
    public static Sums throughput(Cell cell) {
        return of(cell, SliceFigures::requests, SliceFigures::seconds);
    }

    private static Sums of(Cell cell, ToDoubleFunction<SliceFigures> above, ToDoubleFunction<SliceFigures> below) {
        return new Sums(
                VariantClass.of(cell),
                cell.counted().stream()
                        .filter(slice -> below.applyAsDouble(slice) > 0)
                        .map(slice -> new Block(
                                slice.start(), slice.block(), above.applyAsDouble(slice), below.applyAsDouble(slice)))
                        .sorted(Comparator.comparingInt(Block::start).thenComparingInt(Block::block))
                        .toList(),
                cell.caveats());
    }

    /** The sums of the blocks that another figure has too. */
    Sums shared(Sums other) {
        return only(block -> other.blocks.stream().anyMatch(block::isOf));
    }

    /** The same blocks with 1 as the figure of each. */
    Sums ones() {
        return new Sums(
                variants,
                blocks.stream()
                        .map(block -> new Block(block.start, block.block, 1, 1))
                        .toList(),
                caveats);
    }

    /** The blocks of one start of the stack. */
    public Sums ofStart(int start) {
        return only(block -> block.start() == start);
    }

    private Sums only(Predicate<Block> wanted) {
        return new Sums(variants, blocks.stream().filter(wanted).toList(), caveats);
    }

    /** The starts with a block that counts. */
    public List<Integer> starts() {
        return blocks.stream().map(Block::start).distinct().toList();
    }

    /** The quotient over all blocks; NaN if there is no block. */
    public double value() {
        return above() / below();
    }

    double above() {
        return blocks.stream().mapToDouble(Block::above).sum();
    }

    double below() {
        return blocks.stream().mapToDouble(Block::below).sum();
    }
}
