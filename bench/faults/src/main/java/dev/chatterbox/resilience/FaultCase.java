package dev.chatterbox.resilience;

import dev.chatterbox.resilience.load.RequestCounts;
import dev.chatterbox.resilience.load.RequestRecorder;
import dev.chatterbox.resilience.load.RowLoads;
import dev.chatterbox.stack.Repository;
import dev.chatterbox.stack.Steps;
import dev.chatterbox.stack.Target;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A case in which a script breaks a part of one row, while users request the row and the row beside it as fast as they
 * are answered.
 *
 * @param faultSeconds the approximate duration of the script
 * @param applies says to which rows the case can be applied
 * @param traits facts about the case
 */
record FaultCase(
        String name,
        String what,
        int faultSeconds,
        Script script,
        Predicate<Target.RowTarget> applies,
        Set<Trait> traits)
        implements Scenario {

    static final int CALLS = 10;
    static final int USERS = 16;
    private static final int USERS_BESIDE = 4;

    /** The time after a fault's end in which a row must recover; otherwise it counts as not recovered. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** The time in which processes must release what they hold. */
    private static final Duration PATIENCE_WITH_FOOTPRINT = Duration.ofSeconds(20);

    /** The time of a case besides its fault: load before and after, and two full collections in each process. */
    private static final int FRAME_SECONDS = 16;

    enum Trait {
        /** The case affects all rows, because it breaks the aggregator or takes all of the aggregator's capacity. */
        EVERY_ROW,
        /** The aggregator is unreachable for a while, so connections are refused, or end without an answer. */
        AGGREGATOR_AWAY
    }

    interface Script {
        /** Returns when the fault is ended. */
        void run(RowFaults row) throws IOException, InterruptedException;
    }

    /** A case that can be done to every row. */
    FaultCase(String name, String what, int faultSeconds, Script script) {
        this(name, what, faultSeconds, script, row -> true, Set.of());
    }

    FaultCase on(Predicate<Target.RowTarget> rows) {
        return new FaultCase(name, what, faultSeconds, script, rows, traits);
    }

    FaultCase with(Trait... more) {
        return new FaultCase(name, what, faultSeconds, script, applies, Set.of(more));
    }

    @Override
    public boolean appliesTo(Target.RowTarget row) {
        return applies.test(row);
    }

    @Override
    public double seconds(ResiliencePlan plan) {
        return faultSeconds + FRAME_SECONDS;
    }

    @Override
    public CaseResult measure(StackUnderTest stack, Target.RowTarget row) throws InterruptedException {
        long start = System.nanoTime();
        List<String> missed = new ArrayList<>();
        // A failure here is ignored, because the case itself shows what is wrong with the row.
        Attempt.failure(() -> Footprint.fill(stack.port(), row));
        @Nullable Footprint before = footprint(stack, row, missed);
        RequestRecorder recorder;
        Optional<RequestRecorder> beside;
        RowFaults faults;
        @Nullable Double recovery;
        try (RowLoads load = new RowLoads(stack.port(), CALLS)) {
            recorder = load.on(row.row().name(), USERS);
            beside = beside(stack, row).map(other -> load.on(other.row().name(), USERS_BESIDE));
            faults = new RowFaults(stack.faults(), stack.network(), row, recorder, stack.port());
            if (!awaitRecovery(recorder, Duration.ZERO)) {
                missed.add("not right before the case");
            }
            breakAndRepair(stack, faults, missed);
            // Calls that will never be answered end at their deadline.
            boolean recovered = awaitRecovery(recorder, stack.plan().deadline().plusSeconds(1));
            recovery = recovered ? recorder.recovery().orElse(null) : null;
        }
        if (recovery == null) {
            restart(stack, row, faults);
        }
        @Nullable Footprint after = footprintAfter(before, stack, row, missed);
        Optional<RequestCounts> others = beside.map(RequestRecorder::counts);
        missed.addAll(faults.missed);
        missed.addAll(Criteria.missed(
                recorder.counts(),
                others,
                recovery,
                stack.plan().longestError(),
                traits.contains(Trait.AGGREGATOR_AWAY),
                traits.contains(Trait.EVERY_ROW)));
        return new CaseResult(
                row.row().name(),
                name,
                (System.nanoTime() - start) / 1e9,
                List.of(CaseResult.Phase.of("whole", recorder, recovery)),
                others.orElse(null),
                before == null || after == null ? null : new CaseResult.Held(before, after),
                faults.remarks,
                missed);
    }

    private void breakAndRepair(StackUnderTest stack, RowFaults faults, List<String> missed)
            throws InterruptedException {
        Optional<String> failure = Attempt.failure(() -> script.run(faults));
        if (failure.isPresent()) {
            missed.add(failure.get());
            // Undoes what the script did, so that the next case does not suffer.
            Attempt.failure(faults::repairLinks);
            Attempt.failure(stack.faults()::clear);
        }
    }

    /** Restarts processes of a row that did not recover by itself, so that the next case does not suffer. */
    private static void restart(StackUnderTest stack, Target.RowTarget row, RowFaults faults)
            throws InterruptedException {
        stack.steps()
                .line("%s has not recovered; its responder and the aggregator are restarted."
                        .formatted(row.row().name()));
        List<Attempt> repairs = new ArrayList<>(List.of(
                faults::repairLinks, stack.faults()::clear, () -> stack.faults().heal(Steps.SILENT)));
        RowProcess.RESPONDER
                .of(row)
                .ifPresent(name -> repairs.add(() -> stack.faults().restart(name, Steps.SILENT)));
        repairs.add(() -> stack.faults().restart(Repository.AGGREGATOR, Steps.SILENT));
        for (Attempt repair : repairs) {
            Attempt.failure(repair).ifPresent(stack.steps()::line);
        }
    }

    /** @param least the shortest time to watch, even if every answer is right before */
    private static boolean awaitRecovery(RequestRecorder recorder, Duration least) throws InterruptedException {
        long start = System.nanoTime();
        for (long waited = 0; waited <= PATIENCE.toNanos(); waited = System.nanoTime() - start) {
            if (recorder.isWell() && waited > least.toNanos()) {
                return true;
            }
            TimeUnit.MILLISECONDS.sleep(20);
        }
        return false;
    }

    /** A row with another responder and another broker, which shows whether the case affects other rows. */
    private static Optional<Target.RowTarget> beside(StackUnderTest stack, Target.RowTarget row) {
        return stack.target().rows().stream()
                .filter(other -> !other.responder().equals(row.responder())
                        && (row.brokers().isEmpty() || !other.brokers().equals(row.brokers())))
                .findFirst();
    }

    /** @return null if the processes cannot be examined; the reason is then added to what is missed */
    private static @Nullable Footprint footprint(StackUnderTest stack, Target.RowTarget row, List<String> missed)
            throws InterruptedException {
        AtomicReference<@Nullable Footprint> footprint = new AtomicReference<>();
        Set<String> names = new TreeSet<>(Set.of(Repository.AGGREGATOR));
        RowProcess.RESPONDER.of(row).ifPresent(names::add);
        Attempt.failure(() -> footprint.set(Footprint.of(stack.testbed().stack(), stack.port(), names)))
                .ifPresent(missed::add);
        return footprint.get();
    }

    /** Returns when the processes hold no more than before, or when they have had long enough to release it. */
    private static @Nullable Footprint footprintAfter(
            @Nullable Footprint before, StackUnderTest stack, Target.RowTarget row, List<String> missed)
            throws InterruptedException {
        long start = System.nanoTime();
        while (true) {
            List<String> now = new ArrayList<>();
            Footprint after = footprint(stack, row, now);
            if (before != null && after != null) {
                now.addAll(Criteria.grown(before, after));
            }
            if (now.isEmpty() || System.nanoTime() - start > PATIENCE_WITH_FOOTPRINT.toNanos()) {
                missed.addAll(now);
                return after;
            }
            TimeUnit.SECONDS.sleep(2);
        }
    }
}
