package dev.chatterbox.resilience;

import dev.chatterbox.resilience.load.CheckedLoad;
import dev.chatterbox.resilience.load.RequestCounts;
import dev.chatterbox.resilience.load.RequestRecorder;
import dev.chatterbox.stack.Repository;
import dev.chatterbox.stack.Steps;
import dev.chatterbox.stack.Target;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A case in which a script breaks a part of one variant, while users request the variant and the variant beside it as
 * fast as they are answered.
 *
 * @param faultSeconds the approximate duration of the script
 * @param applies says to which variants the case can be applied
 * @param traits facts about the case
 */
record FaultCase(
        String name, int faultSeconds, Script script, Predicate<Target.VariantTarget> applies, Set<Trait> traits)
        implements Scenario {

    static final int CALLS = 10;
    static final int USERS = 16;
    private static final int USERS_BESIDE = 4;

    /** The time after a fault's end in which a variant must recover; otherwise it counts as not recovered. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** The time in which processes must release what they hold. */
    private static final Duration PATIENCE_WITH_FOOTPRINT = Duration.ofSeconds(20);

    /** The time of a case besides its fault: load before and after, and two full collections in each process. */
    private static final int FRAME_SECONDS = 16;

    enum Trait {
        /**
         * The case affects all variants, because it breaks the aggregator or takes all of the aggregator's capacity.
         */
        EVERY_VARIANT,
        /** The aggregator is unreachable for a while, so connections are refused, or end without an answer. */
        AGGREGATOR_AWAY
    }

    interface Script {
        /** Returns when the fault is ended. */
        void run(VariantFaults variant) throws IOException, InterruptedException;
    }

    /** A case that can be done to every variant. */
    FaultCase(String name, int faultSeconds, Script script) {
        this(name, faultSeconds, script, variant -> true, Set.of());
    }

    FaultCase on(Predicate<Target.VariantTarget> variants) {
        return new FaultCase(name, faultSeconds, script, variants, traits);
    }

    FaultCase with(Trait... more) {
        return new FaultCase(name, faultSeconds, script, applies, Set.of(more));
    }

    @Override
    public boolean appliesTo(Target.VariantTarget variant) {
        return applies.test(variant);
    }

    @Override
    public double seconds() {
        return faultSeconds + FRAME_SECONDS;
    }

    @Override
    public CaseResult measure(StackUnderTest stack, Target.VariantTarget variant) throws InterruptedException {
        long start = System.nanoTime();
        List<String> missed = new ArrayList<>();
        // A failure here is ignored, because the case itself shows what is wrong with the variant.
        stack.failure(() -> Footprint.fill(stack, variant));
        Footprint before = Footprint.of(stack, variant);
        RequestRecorder recorder;
        Optional<RequestRecorder> beside;
        VariantFaults faults;
        @Nullable Double recovery;
        try (CheckedLoad load = new CheckedLoad(stack.port(), CALLS)) {
            recorder = load.users(variant.name(), USERS);
            beside = beside(stack, variant).map(other -> load.users(other.name(), USERS_BESIDE));
            faults = new VariantFaults(stack, variant, recorder);
            if (!awaitRecovery(recorder, Duration.ZERO)) {
                missed.add("not right before the case");
            }
            Optional<String> failure = stack.failure(() -> script.run(faults));
            if (failure.isPresent()) {
                missed.add(failure.get());
                // Undoes what the script did, so that the next case does not suffer.
                stack.failure(faults::repairLinks);
                stack.failure(stack.faults()::clear);
            }
            // Calls that will never be answered end at their deadline.
            boolean recovered = awaitRecovery(recorder, stack.deadline().plusSeconds(1));
            recovery = recovered ? recorder.recovery().orElse(null) : null;
        }
        if (recovery == null) {
            restart(stack, variant, faults);
        }
        Footprint after = released(before, stack, variant);
        missed.addAll(Criteria.grown(before, after));
        @Nullable RequestCounts others = beside.map(RequestRecorder::counts).orElse(null);
        missed.addAll(faults.missed);
        missed.addAll(Criteria.missed(recorder.counts(), others, recovery, stack.longestError(), traits));
        Figures figures = Phase.of("", recorder, recovery).figures();
        Footprint.addTo(figures, before, after);
        if (others != null) {
            figures.add("other variant", others, Phase.errors(others));
        }
        return CaseResult.since(
                start, variant.name(), name, Map.of(Phase.TABLE, List.of(figures)), faults.remarks, missed);
    }

    /** Restarts processes of a variant that did not recover by itself, so that the next case does not suffer. */
    private static void restart(StackUnderTest stack, Target.VariantTarget variant, VariantFaults faults)
            throws InterruptedException {
        stack.steps()
                .line("%s has not recovered; its responder and the aggregator are restarted."
                        .formatted(variant.name()));
        stack.attempt(faults::repairLinks);
        stack.attempt(stack.faults()::clear);
        stack.attempt(() -> stack.faults().heal(Steps.SILENT));
        Optional<String> responder = VariantProcess.RESPONDER.of(variant);
        if (responder.isPresent()) {
            stack.attempt(() -> stack.faults().restart(responder.get(), Steps.SILENT));
        }
        stack.attempt(() -> stack.faults().restart(Repository.AGGREGATOR, Steps.SILENT));
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

    /** A variant with another responder and another broker, which shows whether the case affects other variants. */
    private static Optional<Target.VariantTarget> beside(StackUnderTest stack, Target.VariantTarget variant) {
        return stack.target().variants().stream()
                .filter(other -> !other.responder().equals(variant.responder())
                        && (variant.brokers().isEmpty() || !other.brokers().equals(variant.brokers())))
                .findFirst();
    }

    /** Returns when the processes hold no more than before, or when they have had long enough to release it. */
    private static Footprint released(Footprint before, StackUnderTest stack, Target.VariantTarget variant)
            throws InterruptedException {
        long start = System.nanoTime();
        while (true) {
            Footprint after = Footprint.of(stack, variant);
            if (Criteria.grown(before, after).isEmpty()
                    || System.nanoTime() - start > PATIENCE_WITH_FOOTPRINT.toNanos()) {
                return after;
            }
            TimeUnit.SECONDS.sleep(2);
        }
    }
}
