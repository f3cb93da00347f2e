package dev.chatterbox.comparison;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * The order of a run. Within a round, each workload is run over every row before the next one; from round to round the rows
 * rotate (A B C, B C A, C A B), so that drift and order affect all alike.
 *
 * <p>Before the first round comes one that only warms up. All rows share the aggregator, the generator and their JIT: were the
 * first one measured before the last one has been called, its code would be compiled anew in the middle of its rounds.
 */
final class Schedule {

    /** The shortest window that the generator measures, for a slot that is there for its warm-up. */
    private static final double NO_WINDOW = 0.1;

    private Schedule() {}

    /** @param cells of a row, in order; the n-th cells of all rows belong together */
    static List<Slot> of(Preset preset, List<String> rows, Function<String, List<CellPlan>> cells) {
        List<Slot> slots = new ArrayList<>();
        int longest =
                rows.stream().mapToInt(row -> cells.apply(row).size()).max().orElse(0);
        for (int round = 0; round <= preset.rounds(); round++) {
            List<String> order = rotated(rows, Math.max(0, round - 1));
            for (int n = 0; n < longest; n++) {
                for (String row : order) {
                    List<CellPlan> ofRow = cells.apply(row);
                    if (n < ofRow.size()) {
                        slots.add(slot(preset, round, ofRow.get(n), ofRow.size()));
                    }
                }
            }
        }
        return slots;
    }

    private static Slot slot(Preset preset, int round, CellPlan cell, int cells) {
        if (round > 0) {
            WarmUpBounds warmUp = preset.timing().warmUp();
            return new Slot(round, cell, warmUp, preset.secondsOf(cell.workload()), warmUp.likelySeconds());
        }
        WarmUpBounds all = preset.timing().firstWarmUp();
        if (cell.workload().isOpen()) {
            // Its users arrive for as long as the generator was told before the start, so each cell gets a share.
            double share = all.maxSeconds() / cells;
            return new Slot(round, cell, WarmUpBounds.fixed(share), NO_WINDOW, share);
        }
        // FirstWarmUp ends it; the generator's own end is for the case that nothing does.
        double most = all.maxSeconds() + 2 * FirstWarmUp.WINDOW_SECONDS;
        return new Slot(
                round, cell, WarmUpBounds.fixed(most), NO_WINDOW, FirstWarmUp.likelySeconds(all, cells) / cells);
    }

    static List<String> rotated(List<String> rows, int by) {
        List<String> order = new ArrayList<>();
        for (int i = 0; i < rows.size(); i++) {
            order.add(rows.get((i + by) % rows.size()));
        }
        return order;
    }
}
