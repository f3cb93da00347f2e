package dev.chatterbox.comparison;

import dev.chatterbox.comparison.counts.ServiceCounts;
import dev.chatterbox.results.Counts;
import dev.chatterbox.stack.Target;
import dev.chatterbox.workloads.SliceResult;
import java.io.IOException;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Compares, block by block, what the generator and the services of each stack counted in one start. */
final class BlockCounts {

    private static final String UNSENT = "unsent";

    /** A service may count a call just before or after its reply is seen, so counts that disagree are read again. */
    private static final int LOOKS = 4;

    /** Reads what the services of a stack have counted until now. */
    interface Counter {
        ServiceCounts read(Target target) throws IOException;
    }

    private final Counter counter;
    private final Map<Target, Ledger> ledgers = new IdentityHashMap<>();

    /** The services' counts at the end of the previous block, by stack. */
    private final Map<Target, ServiceCounts> counted = new IdentityHashMap<>();

    /** Failed requests since the last comparison, by variant and kind. */
    private final Map<String, Long> failed = new TreeMap<>();

    private final Set<String> doubts = new LinkedHashSet<>();

    BlockCounts(Collection<Target> targets, Counter counter) {
        this.counter = counter;
        targets.forEach(target -> ledgers.put(target, new Ledger()));
    }

    /** Starts the counting again: calls that were made until now belong to no block. */
    void begin() {
        counted.clear();
        failed.clear();
        close(List.of(), 0, 0);
    }

    /** Adds the result of a slice that has ended. One-way messages are counted by their programs alone. */
    void add(Subject subject, SliceResult result) {
        if (!subject.isQueue()) {
            // A request that was never sent reached nobody who could count it.
            long unsent = result.failures().getOrDefault(UNSENT, 0L);
            ledger(subject.target()).add(subject, result.right(), result.failed() - unsent);
        }
        result.failures().forEach((kind, count) -> {
            if (!kind.equals(UNSENT)) {
                failed.merge("%s %s".formatted(subject.variantKey(), kind), count, Long::sum);
            }
        });
    }

    private Ledger ledger(Target target) {
        return Objects.requireNonNull(ledgers.get(target));
    }

    /** Notes that some calls over a stack in this block were counted by its services alone. */
    void missing(Target target) {
        ledger(target).missing();
    }

    /** Marks all counts as incomplete: nobody knows all calls of a slice that was cut short. */
    void incomplete() {
        ledgers.values().forEach(Ledger::incomplete);
    }

    /** Sentences on the counts before the blocks that do not agree; those of a block stand with its slices. */
    Set<String> doubts() {
        return doubts;
    }

    /** The counts of all stacks over the whole start. */
    Counts sum() {
        return Counts.sum(ledgers.values().stream().map(Ledger::counts).toList());
    }

    /**
     * Compares the counts of a block, and excludes the slices of variants whose counts do not agree.
     *
     * @param cells the cells that had a slice in the block; none for the time before the blocks
     */
    void close(Collection<CellLog> cells, int start, int block) {
        if (cells.isEmpty() && !failed.isEmpty()) {
            doubts.add("Before the blocks of start %d, requests failed, and nobody knows how many calls they made: %s."
                    .formatted(start, failed));
        }
        failed.clear();
        ledgers.forEach((target, ledger) -> {
            Map<String, List<String>> reasons = close(target, ledger, !cells.isEmpty());
            if (cells.isEmpty()) {
                reasons.forEach((variant, why) -> doubts.add(
                        "Before the blocks of start %d, %s: %s.".formatted(start, variant, String.join("; ", why))));
            }
            cells.stream()
                    .filter(cell -> cell.subject().target() == target)
                    .forEach(cell -> cell.exclude(
                            start, block, reasons.getOrDefault(cell.subject().variant(), List.of())));
        });
    }

    /** @return by variant, why its slices do not count */
    private Map<String, List<String>> close(Target target, Ledger ledger, boolean isBlock) {
        ServiceCounts now = settled(target, ledger);
        ServiceCounts earlier = now == null ? counted.remove(target) : counted.put(target, now);
        if (now == null) {
            ledger.incomplete();
            return unread(target);
        }
        if (earlier == null) {
            ledger.begin();
            return isBlock ? unread(target) : Map.of();
        }
        return ledger.close(target, now.since(earlier));
    }

    /** Counts at both ends of a block must be known. */
    private static Map<String, List<String>> unread(Target target) {
        return target.variants().stream()
                .collect(Collectors.toMap(
                        variant -> variant.variant().name(),
                        variant -> List.of("the services' own counts could not be read")));
    }

    private @Nullable ServiceCounts settled(Target target, Ledger ledger) {
        ServiceCounts now = null;
        for (int look = 1; look <= LOOKS; look++) {
            try {
                now = counter.read(target);
                ServiceCounts earlier = counted.get(target);
                if (earlier == null || ledger.agreesWith(target, now.since(earlier))) {
                    return now;
                }
            } catch (IOException e) {
                // The next look tries again.
            }
            if (look < LOOKS) {
                Run.pause(0.1);
            }
        }
        return now;
    }
}
