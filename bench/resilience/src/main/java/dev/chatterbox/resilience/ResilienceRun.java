package dev.chatterbox.resilience;

import dev.chatterbox.comparison.EnvironmentProbe;
import dev.chatterbox.comparison.Target;
import dev.chatterbox.control.StackFaults;
import dev.chatterbox.network.Toxiproxy;
import dev.chatterbox.resilience.FaultCase.Trait;
import dev.chatterbox.results.Environment;
import dev.chatterbox.stack.Repository;
import dev.chatterbox.stack.StackException;
import dev.chatterbox.stack.Steps;
import dev.chatterbox.stack.Testbed;
import dev.chatterbox.stack.UsageException;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Carries out one case after the other on each row, and then faults at random on all of them. For one thread. */
public final class ResilienceRun {

    private static final int USERS = 16;
    private static final int USERS_BESIDE = 4;
    private static final int CALLS = 10;

    /** After a process's return; one that has not got well by then is judged so. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** For what is held to be let go. */
    private static final Duration PATIENCE_WITH_FOOTPRINT = Duration.ofSeconds(20);

    /** Beside what is done: load before and after, and two full collections in each process. */
    private static final int FRAME_SECONDS = 16;

    private static final int WARM_UP_SECONDS = 15;

    private final Testbed testbed;
    private final StackFaults stackFaults;
    private final Steps steps;
    private final Plan plan;
    private final Target target;
    private final Toxiproxy network;
    private final List<CaseResult> measured = new ArrayList<>();
    private final Random random;
    private final LocalDateTime started = LocalDateTime.now();
    private final Environment environment;
    private double secondsLeft;

    /**
     * Which cases are carried out.
     *
     * @param rows that are tested, by name
     * @param cases by name; all where none is named
     * @param soak how long faults are mixed; zero for not at all
     * @param deadline of a call
     * @param seed of the mix
     */
    public record Plan(List<String> rows, List<String> cases, Duration soak, Duration deadline, long seed) {

        /** @throws UsageException a name means no case */
        public Plan {
            FaultCases.named(cases);
        }

        List<FaultCase> chosen() {
            return cases.equals(List.of(FaultCases.SOAK)) ? List.of() : FaultCases.named(cases);
        }
    }

    /** @param testbed with a network, and a row more than is tested, if that is only one */
    public ResilienceRun(Testbed testbed, StackFaults faults, Plan plan, Steps steps) {
        this.testbed = testbed;
        this.stackFaults = faults;
        this.plan = plan;
        this.steps = steps;
        target = testbed.target();
        network = testbed.network().orElseThrow(() -> new StackException("The stack has no network."));
        environment = EnvironmentProbe.of(
                target, faults.repository().loadTests(), faults.repository().root());
        random = new Random(plan.seed);
        secondsLeft = WARM_UP_SECONDS + plan.soak.toSeconds();
        for (Target.RowTarget row : rows()) {
            secondsLeft +=
                    casesOf(row).mapToInt(one -> one.seconds() + FRAME_SECONDS).sum();
        }
    }

    /** How long it is going to take, about. */
    public double seconds() {
        return secondsLeft;
    }

    /**
     * What was measured until now.
     *
     * @param command as it was typed
     */
    public ResilienceResults results(String command) {
        return new ResilienceResults(command, started, environment, List.copyOf(measured));
    }

    private List<Target.RowTarget> rows() {
        return target.rows().stream()
                .filter(row -> plan.rows.contains(row.row().name()))
                .toList();
    }

    private Stream<FaultCase> casesOf(Target.RowTarget row) {
        return plan.chosen().stream().filter(one -> one.applies().test(row));
    }

    /**
     * Runs; a line about each case is printed when it is done. A case that fails does not keep the next one from running.
     *
     * @throws InterruptedException what was measured until then is kept
     */
    public void run() throws InterruptedException {
        warmUp();
        for (FaultCase one : plan.chosen()) {
            for (Target.RowTarget row : rows()) {
                if (one.applies().test(row)) {
                    showProgress("%s: %s".formatted(row.row().name(), one.name()));
                    keep(List.of(measure(one, row)));
                    secondsLeft -= one.seconds() + FRAME_SECONDS;
                }
            }
        }
        if (!plan.soak.isZero()) {
            showProgress("mixed faults");
            keep(soak());
        }
    }

    private void showProgress(String what) {
        steps.progress("… %s; about %.0f min left".formatted(what, Math.ceil(secondsLeft / 60)));
    }

    private void keep(List<CaseResult> more) {
        measured.addAll(more);
        more.forEach(one -> steps.line(ResilienceTables.line(one)));
    }

    /** So that no case is charged for the classes that it loads first, or for what a client opens with its first call. */
    private void warmUp() throws InterruptedException {
        showProgress("warm-up");
        try (Load load = new Load()) {
            target.rows().forEach(row -> load.on(row, USERS));
            TimeUnit.SECONDS.sleep(WARM_UP_SECONDS);
        }
        secondsLeft -= WARM_UP_SECONDS;
    }

    /** On one row or several. */
    private final class Load implements AutoCloseable {

        private final List<VerifiedLoad> loads = new ArrayList<>();

        RequestRecorder on(Target.RowTarget row, int users) {
            RequestRecorder recorder = new RequestRecorder();
            loads.add(new VerifiedLoad(target.aggregator().port(), row.row().name(), users, CALLS, 0, recorder));
            return recorder;
        }

        @Override
        public void close() throws InterruptedException {
            for (VerifiedLoad load : loads) {
                load.close();
            }
        }
    }

    private CaseResult measure(FaultCase one, Target.RowTarget row) throws InterruptedException {
        long start = System.nanoTime();
        List<String> missed = new ArrayList<>();
        Footprint before = footprint(List.of(row), missed);
        RowUnderLoad tested;
        Optional<RequestRecorder> beside;
        Optional<Double> recovery;
        try (Load load = new Load()) {
            tested = new RowUnderLoad(row, load.on(row, USERS));
            beside = beside(row).map(other -> load.on(other, USERS_BESIDE));
            if (!awaitWell(tested.recorder, Duration.ZERO)) {
                missed.add("not well before");
            }
            recovery = tested.carryOut(one);
        }
        RequestCounts counts = tested.recorder.counts();
        Optional<RequestCounts> others = beside.map(RequestRecorder::counts);
        missed.addAll(tested.faults.missed());
        missed.addAll(Criteria.missed(
                counts,
                others,
                recovery.orElse(null),
                longestError(),
                one.is(Trait.AGGREGATOR_AWAY),
                one.is(Trait.EVERY_ROW)));
        if (recovery.isEmpty()) {
            tested.repair();
        }
        Footprint after = footprintAfter(before, List.of(row), missed);
        return new CaseResult(
                row.row().name(),
                one.name(),
                one.what(),
                (System.nanoTime() - start) / 1e9,
                counts,
                others.orElse(null),
                recovery.orElse(null),
                before,
                after,
                tested.faults.remarks(),
                missed);
    }

    /** All rows at once; each fault of one of them is over, and that row is well, before the next begins. */
    private List<CaseResult> soak() throws InterruptedException {
        long start = System.nanoTime();
        List<String> footprintMissed = new ArrayList<>();
        Footprint before = footprint(rows(), footprintMissed);
        List<RowUnderLoad> tested;
        try (Load load = new Load()) {
            tested = rows().stream()
                    .map(row -> new RowUnderLoad(row, load.on(row, USERS / 2)))
                    .toList();
            while (System.nanoTime() - start < plan.soak.toNanos()) {
                tested.get(random.nextInt(tested.size())).carryOutAny();
            }
        }
        Footprint after = footprintAfter(before, rows(), footprintMissed);
        double seconds = (System.nanoTime() - start) / 1e9;
        return tested.stream()
                .map(row -> row.soaked(seconds, before, after, footprintMissed))
                .toList();
    }

    /** A row that has its load, and the faults that are made in it. */
    private final class RowUnderLoad {

        private final Target.RowTarget row;
        private final RequestRecorder recorder;
        private final RowFaults faults;
        private double longestRecovery;
        private int cases;

        RowUnderLoad(Target.RowTarget row, RequestRecorder recorder) {
            this.row = row;
            this.recorder = recorder;
            faults = new RowFaults(
                    stackFaults, network, row, recorder, target.aggregator().port());
        }

        /** @return how long the row needed to be well again; empty where it is not */
        Optional<Double> carryOut(FaultCase one) throws InterruptedException {
            Optional<String> failure = Attempt.failure(() -> one.script().run(faults));
            if (failure.isPresent()) {
                faults.missed().add(failure.get());
                Attempt.failure(faults::repairLinks);
            }
            // Calls that nobody will answer any more end at their deadline.
            boolean well = awaitWell(recorder, plan.deadline.plusSeconds(1));
            OptionalDouble recovery = recorder.recovery();
            return well && recovery.isPresent() ? Optional.of(recovery.getAsDouble()) : Optional.empty();
        }

        void carryOutAny() throws InterruptedException {
            List<FaultCase> known = FaultCases.mixed(row).toList();
            FaultCase chosen = known.get(random.nextInt(known.size()));
            showProgress("mixed faults, %s: %s".formatted(row.row().name(), chosen.name()));
            long start = System.nanoTime();
            Optional<Double> recovery = carryOut(chosen);
            cases++;
            longestRecovery = Math.max(longestRecovery, recovery.orElse(0.0));
            if (recovery.isEmpty()) {
                faults.missed().add("not well after " + chosen.name());
                repair();
            }
            secondsLeft -= (System.nanoTime() - start) / 1e9;
        }

        CaseResult soaked(
                double seconds, @Nullable Footprint before, @Nullable Footprint after, List<String> footprintMissed) {
            List<String> missed = new ArrayList<>(faults.missed());
            missed.addAll(
                    Criteria.missed(recorder.counts(), Optional.empty(), longestRecovery, longestError(), false, true));
            missed.addAll(footprintMissed);
            return new CaseResult(
                    row.row().name(),
                    FaultCases.SOAK,
                    "faults of all rows at random, one after the other, for %.0f min".formatted(seconds / 60),
                    seconds,
                    recorder.counts(),
                    null,
                    longestRecovery,
                    before,
                    after,
                    List.of("%d faults of this row in %.0f min, seed %d".formatted(cases, seconds / 60, plan.seed)),
                    missed);
        }

        /** What did not get well by itself is started anew, so that the next case is not charged for it. */
        void repair() throws InterruptedException {
            steps.line("%s is not well; its responder and the aggregator are started again."
                    .formatted(row.row().name()));
            List<Attempt> repairs = new ArrayList<>(
                    List.of(faults::repairLinks, stackFaults::clear, () -> stackFaults.heal(Steps.SILENT)));
            RowProcess.RESPONDER.of(row).ifPresent(name -> repairs.add(() -> stackFaults.restart(name, Steps.SILENT)));
            repairs.add(() -> stackFaults.restart(Repository.AGGREGATOR, Steps.SILENT));
            for (Attempt repair : repairs) {
                Attempt.failure(repair).ifPresent(steps::line);
            }
        }
    }

    /** @param least how long to watch, even if all is well */
    private static boolean awaitWell(RequestRecorder recorder, Duration least) throws InterruptedException {
        long start = System.nanoTime();
        while (true) {
            long waited = System.nanoTime() - start;
            if (recorder.isWell() && waited > least.toNanos()) {
                return true;
            }
            if (waited > PATIENCE.toNanos()) {
                return false;
            }
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    private double longestError() {
        return plan.deadline.toMillis() / 1000.0 + 1;
    }

    /** A row with another responder and another broker, by which is seen whether others feel what is done. */
    private Optional<Target.RowTarget> beside(Target.RowTarget row) {
        return target.rows().stream()
                .filter(other -> !other.responder().equals(row.responder())
                        && (row.broker().isEmpty() || !other.broker().equals(row.broker())))
                .findFirst();
    }

    /** @return null where it cannot be examined; the reason is added to what is missed */
    private @Nullable Footprint footprint(List<Target.RowTarget> rows, List<String> missed)
            throws InterruptedException {
        AtomicReference<@Nullable Footprint> footprint = new AtomicReference<>();
        Set<String> names = new TreeSet<>(Set.of(Repository.AGGREGATOR));
        rows.forEach(row -> RowProcess.RESPONDER.of(row).ifPresent(names::add));
        Attempt.failure(() -> footprint.set(
                        Footprint.of(testbed.stack(), target.aggregator().port(), names)))
                .ifPresent(missed::add);
        return footprint.get();
    }

    private @Nullable Footprint footprintAfter(
            @Nullable Footprint before, List<Target.RowTarget> rows, List<String> missed) throws InterruptedException {
        long start = System.nanoTime();
        while (true) {
            List<String> now = new ArrayList<>();
            Footprint after = footprint(rows, now);
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
