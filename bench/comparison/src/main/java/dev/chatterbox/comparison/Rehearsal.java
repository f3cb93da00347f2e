package dev.chatterbox.comparison;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Tells from the blocks that come before those that count whether the rows are warm. A row that is warm under one load
 * that goes on is not yet warm in slices: there code runs that the load did not need, at each begin and end, and what
 * the other rows teach the compilers has them compile anew.
 */
final class Rehearsal {

    /** Of a row's CPU time that goes to compilers in {@link #LAST} blocks. */
    private static final double JIT_AT_MOST = 0.05;

    private static final int LAST = 2;

    /** By row, the compilers' shares in its slices, block by block. */
    private final List<Map<String, List<Double>>> blocks = new ArrayList<>();

    void begin() {
        blocks.add(new LinkedHashMap<>());
    }

    /** @param share of the compilers, 0 to 1, in a slice */
    void add(String row, double share) {
        blocks.get(blocks.size() - 1)
                .computeIfAbsent(row, none -> new ArrayList<>())
                .add(share);
    }

    /** The first block, which has all cells, says nothing of this. */
    boolean isOver() {
        return blocks.size() > LAST && shares().values().stream().allMatch(share -> share <= JIT_AT_MOST);
    }

    /** By row, over the last blocks. */
    private Map<String, Double> shares() {
        return blocks.subList(Math.max(0, blocks.size() - LAST), blocks.size()).stream()
                .flatMap(block -> block.entrySet().stream())
                .flatMap(row -> row.getValue().stream().map(share -> Map.entry(row.getKey(), share)))
                .collect(Collectors.groupingBy(
                        Map.Entry::getKey, LinkedHashMap::new, Collectors.averagingDouble(Map.Entry::getValue)));
    }

    /** Why a row's figures may be those of code that is not compiled yet; empty if they are not. */
    Optional<String> doubt(String row) {
        return Optional.ofNullable(shares().get(row))
                .filter(share -> share > JIT_AT_MOST)
                .map(share -> "its compilers still took %.0f %% of its CPU time when the time for the warm-up was up"
                        .formatted(100 * share));
    }

    @Override
    public String toString() {
        return shares().entrySet().stream()
                .map(row -> "%s %.1f %%".formatted(row.getKey(), 100 * row.getValue()))
                .collect(Collectors.joining(", "));
    }
}
