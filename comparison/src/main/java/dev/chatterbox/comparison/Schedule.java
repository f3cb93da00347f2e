package dev.chatterbox.comparison;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * The order of a run. Within a round, each workload is run over every transport before the next one; from round to round
 * the transports rotate (A B C, B C A, C A B), so that drift and order hit all alike.
 *
 * <p>Before the first round comes one that only warms up. All transports share the aggregator, the generator and their JIT:
 * were the first measured before the last has been heard of, its code would be compiled anew in the middle of its rounds.
 */
final class Schedule {

    /** The least that the generator measures, for a cell that is there for its warm-up. */
    private static final double NO_WINDOW = 0.1;

    private Schedule() {}

    /**
     * @param workloads for each transport, its cells in order; the n-th cells of all transports belong together
     */
    static List<Slot> of(Preset preset, List<String> transports, Function<String, List<Cell>> workloads) {
        List<Slot> slots = new ArrayList<>();
        int longest = transports.stream()
                .mapToInt(name -> workloads.apply(name).size())
                .max()
                .orElse(0);
        for (int round = 0; round <= preset.rounds(); round++) {
            List<String> order = rotated(transports, Math.max(0, round - 1));
            for (int n = 0; n < longest; n++) {
                for (String transport : order) {
                    List<Cell> cells = workloads.apply(transport);
                    if (n < cells.size()) {
                        slots.add(slot(preset, round, cells.get(n), cells.size()));
                    }
                }
            }
        }
        return slots;
    }

    private static Slot slot(Preset preset, int round, Cell cell, int cells) {
        if (round > 0) {
            return new Slot(
                    round,
                    cell,
                    preset.warmUp(),
                    preset.secondsOf(cell.calls()),
                    preset.warmUp().likelySeconds());
        }
        WarmUp all = preset.firstWarmUp();
        if (cell.isOpen()) {
            // Its users arrive for as long as was said before the start, so each cell gets a share.
            double share = all.maxSeconds() / cells;
            return new Slot(round, cell, WarmUp.of(share, share), NO_WINDOW, share);
        }
        // It is ended from here; the generator's own end is for the case that nobody does.
        double most = all.maxSeconds() + 2 * FirstWarmUp.WINDOW_SECONDS;
        return new Slot(round, cell, WarmUp.of(most, most), NO_WINDOW, FirstWarmUp.likelySeconds(all, cells) / cells);
    }

    static List<String> rotated(List<String> transports, int by) {
        List<String> order = new ArrayList<>();
        for (int i = 0; i < transports.size(); i++) {
            order.add(transports.get((i + by) % transports.size()));
        }
        return order;
    }
}
