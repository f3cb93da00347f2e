package dev.chatterbox.resilience;

import dev.chatterbox.comparison.environment.EnvironmentProbe;
import dev.chatterbox.comparison.testbed.Target;
import dev.chatterbox.control.StackFaults;
import dev.chatterbox.network.Toxiproxy;
import dev.chatterbox.resilience.FaultCase.Trait;
import dev.chatterbox.resilience.load.RequestCounts;
import dev.chatterbox.resilience.load.RequestRecorder;
import dev.chatterbox.resilience.load.RowLoads;
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
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Carries out the cases on each row, one after the other, and then random faults on all rows. For one thread. */
public final class ResilienceRun {

    private static final int USERS = 16;
    private static final int USERS_BESIDE = 4;
    private static final int CALLS = 10;

    /** The time after a fault's end in which a row must get well; otherwise it counts as not well. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** The time in which processes must release what they hold. */
    private static final Duration PATIENCE_WITH_FOOTPRINT = Duration.ofSeconds(20);

    /** The time of a case besides its fault: load before and after, and two full collections in each process. */
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
     * Says which cases are carried out.
     *
     * @param rows names of the rows that are tested
     * @param cases names of the cases; none means all
     * @param soak how long random faults are mixed; zero means not at all
     * @param phase how long the nodes of a cluster are all there, away and back
     * @param deadline of a call
     * @param seed of the random mix
     */
    public record Plan(
            List<String> rows, List<String> cases, Duration soak, Duration phase, Duration deadline, long seed) {

        /** @throws UsageException there is no case with that name */
        public Plan {
            FaultCases.named(cases);
        }

        List<FaultCase> chosen() {
            return cases.equals(List.of(FaultCases.SOAK)) ? List.of() : FaultCases.named(cases);
        }
    }

    /**
     * @param testbed a stack with a network and, if only one row is tested, with another row beside it
     * @param target the testbed's
     */
    public ResilienceRun(Testbed testbed, Target target, StackFaults faults, Plan plan, Steps steps) {
        this.testbed = testbed;
        this.stackFaults = faults;
        this.plan = plan;
        this.steps = steps;
        this.target = target;
        network = testbed.network().orElseThrow(() -> new StackException("The stack has no network."));
        environment = EnvironmentProbe.of(
                target,
                faults.stack().repository().loadTests(),
                faults.stack().repository().root());
        random = new Random(plan.seed);
        secondsLeft = WARM_UP_SECONDS + plan.soak.toSeconds();
        for (FaultCase one : plan.chosen()) {
            secondsLeft += (one.seconds() + FRAME_SECONDS) * rows(one).size();
        }
    }

    /** The approximate duration of what is left. */
    public double seconds() {
        return secondsLeft;
    }

    /**
     * The results so far.
     *
     * @param command the command line as a person typed it
     */
    public ResilienceResults results(String command, NodeCases nodes, QueueCases queues) {
        return new ResilienceResults(
                command, started, environment, List.copyOf(measured), nodes.measured(), queues.measured());
    }

    /** Of the aggregator. */
    private int port() {
        return target.aggregator().first().port();
    }

    private List<Target.RowTarget> rows() {
        return target.rows().stream()
                .filter(row -> plan.rows.contains(row.row().name()))
                .toList();
    }

    private List<Target.RowTarget> rows(FaultCase one) {
        return rows().stream().filter(one::applies).toList();
    }

    /**
     * Runs, and prints a line about each case when the case is done. If a case fails, the next one runs all the same.
     *
     * @throws InterruptedException the run was interrupted; the results so far are kept
     */
    public void run() throws InterruptedException {
        warmUp();
        for (FaultCase one : plan.chosen()) {
            for (Target.RowTarget row : rows(one)) {
                showProgress("%s: %s".formatted(row.row().name(), one.name()));
                keep(measure(one, List.of(row), USERS, beside(row), tested -> carryOut(one, tested.get(0))));
                secondsLeft -= one.seconds() + FRAME_SECONDS;
            }
        }
        if (!plan.soak.isZero()) {
            showProgress("mixed faults");
            String what = "faults of all rows at random, one after the other, for %.0f min".formatted(soakMinutes());
            FaultCase all = new FaultCase(FaultCases.SOAK, what, 0, row -> {}).with(Trait.EVERY_ROW);
            keep(measure(all, rows(), USERS / 2, Optional.empty(), this::soak));
        }
    }

    private void showProgress(String what) {
        steps.progress("… %s; about %.0f min left".formatted(what, Math.ceil(secondsLeft / 60)));
    }

    private void keep(List<CaseResult> more) {
        measured.addAll(more);
        more.forEach(one -> steps.line(ResilienceTables.line(one)));
    }

    /** Without a warm-up, the first case would pay for loading classes, and for what a client's first call opens. */
    private void warmUp() throws InterruptedException {
        showProgress("warm-up");
        try (RowLoads load = new RowLoads(port(), CALLS)) {
            target.rows().forEach(row -> load.on(row.row().name(), USERS));
            TimeUnit.SECONDS.sleep(WARM_UP_SECONDS);
        }
        secondsLeft -= WARM_UP_SECONDS;
    }

    /** Makes faults in rows while load runs on them. */
    private interface Faults {
        void in(List<RowUnderLoad> tested) throws InterruptedException;
    }

    /**
     * Measures rows, all at the same time.
     *
     * @param one describes the faults in the results
     * @param users the number of users of each row
     * @param other the row beside the tested rows, if there is one
     */
    private List<CaseResult> measure(
            FaultCase one, List<Target.RowTarget> rows, int users, Optional<Target.RowTarget> other, Faults faults)
            throws InterruptedException {
        long start = System.nanoTime();
        List<String> missed = new ArrayList<>();
        for (Target.RowTarget row : rows) {
            // A failure here is ignored, because the case itself shows what is wrong with the row.
            Attempt.failure(() -> Footprint.fill(port(), row));
        }
        @Nullable Footprint before = footprint(rows, missed);
        List<RowUnderLoad> tested;
        Optional<RequestRecorder> beside;
        try (RowLoads load = new RowLoads(port(), CALLS)) {
            tested = rows.stream()
                    .map(row -> new RowUnderLoad(row, load.on(row.row().name(), users)))
                    .toList();
            beside = other.map(row -> load.on(row.row().name(), USERS_BESIDE));
            faults.in(tested);
        }
        for (RowUnderLoad row : tested) {
            row.repairIfIll();
        }
        @Nullable Footprint after = footprintAfter(before, rows, missed);
        double seconds = (System.nanoTime() - start) / 1e9;
        Optional<RequestCounts> others = beside.map(RequestRecorder::counts);
        return tested.stream()
                .map(row -> row.result(one, others, seconds, before, after, missed))
                .toList();
    }

    private void carryOut(FaultCase one, RowUnderLoad row) throws InterruptedException {
        if (!awaitWell(row.recorder, Duration.ZERO)) {
            row.faults.missed.add("not well before");
        }
        row.carryOut(one);
    }

    /** Makes one fault after the other: each fault is over, and its row is well, before the next one begins. */
    private void soak(List<RowUnderLoad> tested) throws InterruptedException {
        long end = System.nanoTime() + plan.soak.toNanos();
        while (System.nanoTime() < end) {
            long start = System.nanoTime();
            RowUnderLoad row = tested.get(random.nextInt(tested.size()));
            List<FaultCase> known = FaultCases.mixed(row.row);
            FaultCase chosen = known.get(random.nextInt(known.size()));
            showProgress("mixed faults, %s: %s".formatted(row.name(), chosen.name()));
            row.carryOut(chosen);
            if (row.ill) {
                row.faults.missed.add("not well after " + chosen.name());
                row.repairIfIll();
            }
            secondsLeft -= (System.nanoTime() - start) / 1e9;
        }
        tested.forEach(RowUnderLoad::remarkCases);
    }

    private double soakMinutes() {
        return plan.soak.toSeconds() / 60.0;
    }

    /** A row under load, and the faults that are made in the row. */
    private final class RowUnderLoad {

        private final Target.RowTarget row;
        private final RequestRecorder recorder;
        private final RowFaults faults;
        private int cases;
        private double longestRecovery;
        private boolean recovered = true;

        /** Whether the row did not get well after the last case, and was not repaired since then. */
        private boolean ill;

        RowUnderLoad(Target.RowTarget row, RequestRecorder recorder) {
            this.row = row;
            this.recorder = recorder;
            faults = new RowFaults(stackFaults, network, row, recorder, port());
        }

        String name() {
            return row.row().name();
        }

        void carryOut(FaultCase one) throws InterruptedException {
            Optional<String> failure = Attempt.failure(() -> one.script().run(faults));
            if (failure.isPresent()) {
                faults.missed.add(failure.get());
                // Undoes what the case did, so that the next case does not suffer.
                Attempt.failure(faults::repairLinks);
                Attempt.failure(stackFaults::clear);
            }
            // Calls that will never be answered end at their deadline.
            boolean well = awaitWell(recorder, plan.deadline.plusSeconds(1));
            Optional<Double> recovery = recorder.recovery().filter(seconds -> well);
            longestRecovery = Math.max(longestRecovery, recovery.orElse(0.0));
            ill = recovery.isEmpty();
            recovered &= !ill;
            cases++;
        }

        /** Replaces the remarks of the mixed cases by a single one. */
        void remarkCases() {
            faults.remarks.clear();
            faults.remarks.add("%d faults of this row in %.0f min, seed %d".formatted(cases, soakMinutes(), plan.seed));
        }

        /** Restarts processes of a row that did not get well by itself, so that the next case does not suffer. */
        void repairIfIll() throws InterruptedException {
            if (!ill) {
                return;
            }
            ill = false;
            steps.line("%s is not well; its responder and the aggregator are started again.".formatted(name()));
            List<Attempt> repairs = new ArrayList<>(
                    List.of(faults::repairLinks, stackFaults::clear, () -> stackFaults.heal(Steps.SILENT)));
            RowProcess.RESPONDER.of(row).ifPresent(name -> repairs.add(() -> stackFaults.restart(name, Steps.SILENT)));
            repairs.add(() -> stackFaults.restart(Repository.AGGREGATOR, Steps.SILENT));
            for (Attempt repair : repairs) {
                Attempt.failure(repair).ifPresent(steps::line);
            }
        }

        /** @param missedByAll sentences about the criteria that the processes of all rows missed */
        CaseResult result(
                FaultCase one,
                Optional<RequestCounts> others,
                double seconds,
                @Nullable Footprint before,
                @Nullable Footprint after,
                List<String> missedByAll) {
            RequestCounts counts = recorder.counts();
            @Nullable Double recovery = recovered ? longestRecovery : null;
            List<String> missed = new ArrayList<>(faults.missed);
            missed.addAll(Criteria.missed(
                    counts,
                    others,
                    recovery,
                    plan.deadline.toMillis() / 1000.0 + 1,
                    one.is(Trait.AGGREGATOR_AWAY),
                    one.is(Trait.EVERY_ROW)));
            missed.addAll(missedByAll);
            return new CaseResult(
                    name(),
                    one.name(),
                    one.what(),
                    seconds,
                    counts,
                    others.orElse(null),
                    recovery,
                    before,
                    after,
                    faults.remarks,
                    missed);
        }
    }

    /** @param least the shortest time to watch, even if the row is well before */
    private static boolean awaitWell(RequestRecorder recorder, Duration least) throws InterruptedException {
        long start = System.nanoTime();
        for (long waited = 0; waited <= PATIENCE.toNanos(); waited = System.nanoTime() - start) {
            if (recorder.isWell() && waited > least.toNanos()) {
                return true;
            }
            TimeUnit.MILLISECONDS.sleep(20);
        }
        return false;
    }

    /** A row with another responder and another broker, which shows whether a case affects other rows. */
    private Optional<Target.RowTarget> beside(Target.RowTarget row) {
        return target.rows().stream()
                .filter(other -> !other.responder().equals(row.responder())
                        && (row.brokers().isEmpty() || !other.brokers().equals(row.brokers())))
                .findFirst();
    }

    /** @return null if the processes cannot be examined; the reason is then added to what is missed */
    private @Nullable Footprint footprint(List<Target.RowTarget> rows, List<String> missed)
            throws InterruptedException {
        AtomicReference<@Nullable Footprint> footprint = new AtomicReference<>();
        Set<String> names = new TreeSet<>(Set.of(Repository.AGGREGATOR));
        rows.forEach(row -> RowProcess.RESPONDER.of(row).ifPresent(names::add));
        Attempt.failure(() -> footprint.set(Footprint.of(testbed.stack(), port(), names)))
                .ifPresent(missed::add);
        return footprint.get();
    }

    /** Returns when the processes hold no more than before, or when they have had long enough to release it. */
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
