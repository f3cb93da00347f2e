package dev.chatterbox.comparison;

import dev.chatterbox.comparison.counts.ServiceCounts;
import dev.chatterbox.comparison.target.Target;
import dev.chatterbox.results.Counts;
import dev.chatterbox.workloads.SliceResult;
import java.io.IOException;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The counts of the stacks of one start, held against each other block by block. */
final class BlockCounts {

    private final Map<Target, Ledger> ledgers = new IdentityHashMap<>();

    /** At the end of the block before. */
    private final Map<Target, ServiceCounts> counted = new IdentityHashMap<>();

    BlockCounts(Collection<Target> targets) {
        targets.forEach(target -> ledgers.put(target, new Ledger()));
    }

    /** What was counted until now is nobody's. */
    void begin() {
        counted.clear();
        close(List.of(), 0, 0);
    }

    /** A slice has ended. */
    void add(Subject subject, SliceResult result) {
        Objects.requireNonNull(ledgers.get(subject.target())).add(subject, result.right(), result.failed());
    }

    /** Nobody knows all the calls of what was under way. */
    void incomplete() {
        ledgers.values().forEach(Ledger::incomplete);
    }

    /** Over the whole start. */
    Counts sum() {
        return Counts.sum(ledgers.values().stream().map(Ledger::counts).toList());
    }

    /**
     * Holds the counts of a block against each other, and takes what does not agree out of the cells.
     *
     * @param cells that had a slice in it
     */
    void close(List<CellLog> cells, int start, int block) {
        for (Map.Entry<Target, Ledger> each : ledgers.entrySet()) {
            Target target = each.getKey();
            Ledger ledger = each.getValue();
            ServiceCounts now = settled(target, ledger);
            ServiceCounts earlier = counted.get(target);
            if (now == null) {
                ledger.incomplete();
                counted.remove(target);
                cells.stream()
                        .filter(cell -> cell.subject().target() == target)
                        .forEach(cell ->
                                cell.exclude(start, block, List.of("the services' own counts could not be read")));
            } else {
                counted.put(target, now);
                if (earlier == null) {
                    ledger.begin();
                } else {
                    Map<String, List<String>> reasons = ledger.close(target, now.since(earlier));
                    cells.stream()
                            .filter(cell -> cell.subject().target() == target)
                            .forEach(cell -> cell.exclude(
                                    start,
                                    block,
                                    reasons.getOrDefault(cell.subject().row(), List.of())));
                }
            }
        }
    }

    /** The services count a call a moment before or after its reply is seen: what is missing is looked for again. */
    private @Nullable ServiceCounts settled(Target target, Ledger ledger) {
        ServiceCounts now = null;
        for (int look = 0; look < 4; look++) {
            try {
                now = ServiceCounts.of(target);
                ServiceCounts earlier = counted.get(target);
                if (earlier == null || ledger.agreesWith(target, now.since(earlier))) {
                    return now;
                }
            } catch (IOException e) {
                // Looked at again.
            }
            if (look < 3) {
                Run.pause(0.1);
            }
        }
        return now;
    }
}
