package dev.chatterbox.comparison;

import dev.chatterbox.workloads.Workload;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * The order of a run. Within a round, each workload is run over every row before the next one; from round to round
 * the rows rotate (A B C, B C A, C A B), so that drift and order affect all alike.
 *
 * <p>Before the first round comes what only warms up: the preset's heavy load over every row, in turns, and then each
 * cell once. All rows share the aggregator, the generator and their JIT: were the first one measured before the last
 * one has been called, its code would be compiled anew in the middle of its rounds. And a light load alone takes
 * minutes to make a JVM as fast as a heavy one makes it in half of one.
 */
final class Schedule {

    /** The shortest window that the generator measures, for a slot that is there for its warm-up. */
    private static final double NO_WINDOW = 0.1;

    /**
     * How often each row is loaded before the first round, at least, where the first warm-up has no fixed length. When a load ends, code runs that has not run
     * while it lasted (nothing waits, connections close), and methods that were compiled without it are compiled anew
     * when the next load begins: alone on a fresh stack, Kafka's cost fell from its third start to its eighth, from
     * 18.6 CPU-µs to 11.1, and then no more (two slow cores).
     */
    private static final int STARTS = 7;

    /** At most, of a turn between the first of the heavy load and the last, which tell how warm the row is. */
    private static final double START_SECONDS = 2;

    private Schedule() {}

    /**
     * @param load the heavy load that comes first; empty if the rows have had it, or the preset has none
     * @param cells of a row, in order; those of all rows under one workload belong together
     */
    static List<Slot> of(
            Preset preset, List<String> rows, Optional<Workload> load, Function<String, List<CellPlan>> cells) {
        Map<Workload, Map<String, CellPlan>> byWorkload = new LinkedHashMap<>();
        Map<String, Integer> counts = new LinkedHashMap<>();
        for (String row : rows) {
            List<CellPlan> ofRow = cells.apply(row);
            ofRow.forEach(cell -> byWorkload
                    .computeIfAbsent(cell.workload(), workload -> new HashMap<>())
                    .put(row, cell));
            if (!ofRow.isEmpty()) {
                counts.put(row, ofRow.size());
            }
        }
        List<Slot> slots = new ArrayList<>();
        if (load.isPresent()) {
            int fewest = counts.keySet().stream()
                    .mapToInt(row -> ownSlots(byWorkload, row, load.get()))
                    .min()
                    .orElse(0);
            int turns = preset.timing().firstWarmUp().isFixed() ? 2 : Math.max(2, STARTS - fewest);
            for (int turn = 1; turn <= turns; turn++) {
                for (String row : counts.keySet()) {
                    CellPlan cell = CellPlan.of(row, load.get());
                    slots.add(
                            turn == 1 || turn == turns
                                    ? warmUp(preset, turn, cell, byWorkload.size())
                                    : fixedWarmUp(turn, cell, START_SECONDS));
                }
            }
        }
        int first = preset.timing().firstWarmUp().maxSeconds() > 0 ? 0 : 1;
        for (int round = first; round <= preset.rounds(); round++) {
            List<String> order = rotated(List.copyOf(counts.keySet()), Math.max(0, round - 1));
            for (Map.Entry<Workload, Map<String, CellPlan>> together : byWorkload.entrySet()) {
                boolean hadIt =
                        round == 0 && load.filter(together.getKey()::equals).isPresent();
                for (String row : hadIt ? List.<String>of() : order) {
                    CellPlan cell = together.getValue().get(row);
                    if (cell != null) {
                        slots.add(slot(preset, round, cell, counts.getOrDefault(row, 0)));
                    }
                }
            }
        }
        return slots;
    }

    /** Of a row's first warm-up, beside the heavy load. */
    private static int ownSlots(Map<Workload, Map<String, CellPlan>> byWorkload, String row, Workload load) {
        return (int) byWorkload.entrySet().stream()
                .filter(cells ->
                        cells.getValue().containsKey(row) && !cells.getKey().equals(load))
                .count();
    }

    private static Slot slot(Preset preset, int round, CellPlan cell, int cells) {
        if (round == 0) {
            return warmUp(preset, 0, cell, cells);
        }
        WarmUpBounds warmUp = preset.timing().warmUp();
        return new Slot(round, 0, cell, warmUp, preset.secondsOf(cell.workload()), warmUp.likelySeconds(), false);
    }

    private static Slot warmUp(Preset preset, int turn, CellPlan cell, int cells) {
        WarmUpBounds all = preset.timing().firstWarmUp();
        if (cell.workload().isOpen() || all.isFixed()) {
            // Users of the open model arrive for as long as the generator was told before the start, so each cell gets
            // a share.
            return fixedWarmUp(turn, cell, all.isFixed() ? all.minSeconds() : all.maxSeconds() / (2 * cells));
        }
        // FirstWarmUp ends it; the generator's own end is for the case that nothing does.
        double most = all.maxSeconds() + 2 * FirstWarmUp.WINDOW_SECONDS;
        boolean known = preset.timing()
                .warmUpLoad()
                .filter(load -> load.exchange() == cell.workload().exchange()
                        && load.payloadBytes() == cell.workload().payloadBytes())
                .isPresent();
        double likely = turn > 0 ? FirstWarmUp.likelyTurnSeconds(all, turn) : FirstWarmUp.likelyCellSeconds(all, known);
        return new Slot(0, turn, cell, WarmUpBounds.fixed(most), NO_WINDOW, likely, true);
    }

    private static Slot fixedWarmUp(int turn, CellPlan cell, double seconds) {
        return new Slot(0, turn, cell, WarmUpBounds.fixed(seconds), NO_WINDOW, seconds, false);
    }

    static List<String> rotated(List<String> rows, int by) {
        List<String> order = new ArrayList<>();
        for (int i = 0; i < rows.size(); i++) {
            order.add(rows.get((i + by) % rows.size()));
        }
        return order;
    }
}
