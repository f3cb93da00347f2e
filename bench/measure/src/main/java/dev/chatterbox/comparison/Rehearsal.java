package dev.chatterbox.comparison;

import dev.chatterbox.results.Cell;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Finds out, by blocks before those that count, whether the variants are warm. A variant that is warm under one long
 * load is not yet warm in slices: each slice begins and ends with code that the load did not need, and the calls of
 * other variants make the compilers compile code again. It only decides when the blocks begin: {@link
 * Cell#whyNotRanked} judges each cell by the slices that count.
 */
final class Rehearsal {

    private static final int LAST = 2;

    /** For each block, the compilers' shares in the slices of each variant. */
    private final List<Map<String, List<Double>>> blocks = new ArrayList<>();

    void begin() {
        blocks.add(new LinkedHashMap<>());
    }

    /** @param share the compilers' part of the CPU time in a slice, 0 to 1; NaN if the system does not show it */
    void add(String variant, double share) {
        if (!Double.isNaN(share)) {
            blocks.get(blocks.size() - 1)
                    .computeIfAbsent(variant, none -> new ArrayList<>())
                    .add(share);
        }
    }

    /** Whether all variants are warm. The first block, which has all cells, is not looked at. */
    boolean isOver() {
        return blocks.size() > LAST && shares().values().stream().allMatch(share -> share <= Cell.COMPILERS_AT_MOST);
    }

    /** The compilers' mean share of each variant over the last blocks. */
    private Map<String, Double> shares() {
        return blocks.subList(Math.max(0, blocks.size() - LAST), blocks.size()).stream()
                .flatMap(block -> block.entrySet().stream())
                .flatMap(variant -> variant.getValue().stream().map(share -> Map.entry(variant.getKey(), share)))
                .collect(Collectors.groupingBy(
                        Map.Entry::getKey, LinkedHashMap::new, Collectors.averagingDouble(Map.Entry::getValue)));
    }

    @Override
    public String toString() {
        return shares().entrySet().stream()
                .map(variant -> "%s %.1f %%".formatted(variant.getKey(), 100 * variant.getValue()))
                .collect(Collectors.joining(", "));
    }
}
