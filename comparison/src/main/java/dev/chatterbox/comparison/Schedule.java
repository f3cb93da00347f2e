package dev.chatterbox.comparison;

import dev.chatterbox.workloads.Workload;
import java.util.ArrayList;
import java.util.List;
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
     * Also where there is one row: what comes and goes with the load, such as connections, is compiled anew after the
     * first.
     */
    private static final int TURNS = 2;

    private Schedule() {}

    /**
     * @param load the heavy load that comes first; empty if the rows have had it, or the preset has none
     * @param cells of a row, in order; the n-th cells of all rows belong together
     */
    static List<Slot> of(
            Preset preset, List<String> rows, Optional<Workload> load, Function<String, List<CellPlan>> cells) {
        int longest =
                rows.stream().mapToInt(row -> cells.apply(row).size()).max().orElse(0);
        List<Slot> slots = new ArrayList<>();
        if (longest > 0) {
            for (int turn = 1; turn <= TURNS; turn++) {
                for (String row : load.isPresent() ? rows : List.<String>of()) {
                    slots.add(warmUp(preset, turn, CellPlan.of(row, load.get()), longest));
                }
            }
        }
        int first = preset.timing().firstWarmUp().maxSeconds() > 0 ? 0 : 1;
        for (int round = first; round <= preset.rounds(); round++) {
            List<String> order = rotated(rows, Math.max(0, round - 1));
            for (int n = 0; n < longest; n++) {
                for (String row : order) {
                    List<CellPlan> ofRow = cells.apply(row);
                    if (n < ofRow.size()
                            && !(round == 0
                                    && load.filter(ofRow.get(n).workload()::equals)
                                            .isPresent())) {
                        slots.add(slot(preset, round, ofRow.get(n), ofRow.size()));
                    }
                }
            }
        }
        return slots;
    }

    private static Slot slot(Preset preset, int round, CellPlan cell, int cells) {
        if (round == 0) {
            return warmUp(preset, 0, cell, cells);
        }
        WarmUpBounds warmUp = preset.timing().warmUp();
        return new Slot(round, 0, cell, warmUp, preset.secondsOf(cell.workload()), warmUp.likelySeconds());
    }

    private static Slot warmUp(Preset preset, int turn, CellPlan cell, int cells) {
        WarmUpBounds all = preset.timing().firstWarmUp();
        if (cell.workload().isOpen() || all.minSeconds() == all.maxSeconds()) {
            // Users of the open model arrive for as long as the generator was told before the start, so each cell gets
            // a share.
            double share = all.minSeconds() == all.maxSeconds() ? all.minSeconds() : all.maxSeconds() / (2 * cells);
            return new Slot(0, turn, cell, WarmUpBounds.fixed(share), NO_WINDOW, share);
        }
        // FirstWarmUp ends it; the generator's own end is for the case that nothing does.
        double most = all.maxSeconds() + 2 * FirstWarmUp.WINDOW_SECONDS;
        double likely = turn > 0 ? FirstWarmUp.likelyTurnSeconds(all, turn) : FirstWarmUp.likelyCellSeconds(all);
        return new Slot(0, turn, cell, WarmUpBounds.fixed(most), NO_WINDOW, likely);
    }

    static List<String> rotated(List<String> rows, int by) {
        List<String> order = new ArrayList<>();
        for (int i = 0; i < rows.size(); i++) {
            order.add(rows.get((i + by) % rows.size()));
        }
        return order;
    }
}
