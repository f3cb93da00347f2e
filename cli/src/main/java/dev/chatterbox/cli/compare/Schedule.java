package dev.chatterbox.cli.compare;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * The order of a run. Within a round, each workload is run over every transport before the next one; from round to round
 * the transports rotate (A B C, B C A, C A B), so that drift and order hit all alike.
 */
final class Schedule {

    private Schedule() {}

    /**
     * @param workloads for each transport, its cells in order; the n-th cells of all transports belong together
     */
    static List<Slot> of(int rounds, List<String> transports, Function<String, List<Cell>> workloads) {
        List<Slot> slots = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        for (int round = 1; round <= rounds; round++) {
            List<String> order = rotated(transports, round - 1);
            int longest = transports.stream()
                    .mapToInt(name -> workloads.apply(name).size())
                    .max()
                    .orElse(0);
            for (int n = 0; n < longest; n++) {
                for (String transport : order) {
                    List<Cell> cells = workloads.apply(transport);
                    if (n < cells.size()) {
                        slots.add(new Slot(round, cells.get(n), seen.add(transport)));
                    }
                }
            }
        }
        return slots;
    }

    static List<String> rotated(List<String> transports, int by) {
        List<String> order = new ArrayList<>();
        for (int i = 0; i < transports.size(); i++) {
            order.add(transports.get((i + by) % transports.size()));
        }
        return order;
    }
}
