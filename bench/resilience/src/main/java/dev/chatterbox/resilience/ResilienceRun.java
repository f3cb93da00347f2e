package dev.chatterbox.resilience;

import dev.chatterbox.comparison.EnvironmentProbe;
import dev.chatterbox.comparison.Target;
import dev.chatterbox.control.StackFaults;
import dev.chatterbox.network.Toxiproxy;
import dev.chatterbox.processes.ProcessException;
import dev.chatterbox.resilience.Case.Trait;
import dev.chatterbox.results.Environment;
import dev.chatterbox.stack.Repository;
import dev.chatterbox.stack.StackException;
import dev.chatterbox.stack.Steps;
import dev.chatterbox.stack.Testbed;
import dev.chatterbox.stack.UsageException;
import java.io.IOException;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Does one case after the other to each row, and then faults at random to all of them. For one thread. */
public final class ResilienceRun {

    private static final int USERS = 16;
    private static final int USERS_BESIDE = 4;
    private static final int CALLS = 10;

    /** After a part's return; one that has not got well by then is judged so. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** For what is held to be let go. */
    private static final Duration PATIENCE_WITH_VITALS = Duration.ofSeconds(20);

    /** Beside what is done: load before and after, and two full collections in each process. */
    private static final int FRAME_SECONDS = 16;

    private static final int WARM_UP_SECONDS = 15;

    private final Testbed testbed;
    private final StackFaults faults;
    private final Steps steps;
    private final Plan plan;
    private final Target target;
    private final Toxiproxy network;
    private final List<Measured> measured = new ArrayList<>();
    private final Random random;
    private final LocalDateTime started = LocalDateTime.now();
    private final Environment environment;
    private double secondsLeft;

    /**
     * What is to be done.
     *
     * @param rows to which it is done, by name
     * @param cases by name; all where none is named
     * @param soak how long faults are mixed; zero for not at all
     * @param deadline of a call
     * @param seed of the mix
     */
    public record Plan(List<String> rows, List<String> cases, Duration soak, Duration deadline, long seed) {

        /** @throws UsageException a name means no case */
        public Plan {
            Cases.named(cases);
        }

        List<Case> chosen() {
            return cases.equals(List.of(Cases.SOAK)) ? List.of() : Cases.named(cases);
        }
    }

    /** @param testbed with a network, and a row more than is tested, if that is only one */
    public ResilienceRun(Testbed testbed, StackFaults faults, Plan plan, Steps steps) {
        this.testbed = testbed;
        this.faults = faults;
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

    private Stream<Case> casesOf(Target.RowTarget row) {
        return plan.chosen().stream().filter(one -> one.applies().test(row));
    }

    /**
     * Runs; each case is told as a line when it is done.
     *
     * @throws InterruptedException what was measured until then is kept
     */
    public void run() throws IOException, InterruptedException {
        warmUp();
        for (Case one : plan.chosen()) {
            for (Target.RowTarget row : rows()) {
                if (one.applies().test(row)) {
                    tell("%s: %s".formatted(row.row().name(), one.name()));
                    keep(List.of(measure(one, row)));
                    secondsLeft -= one.seconds() + FRAME_SECONDS;
                }
            }
        }
        if (!plan.soak.isZero()) {
            tell("mixed faults");
            keep(soak());
        }
    }

    private void tell(String what) {
        steps.progress("… %s; about %.0f min left".formatted(what, Math.ceil(secondsLeft / 60)));
    }

    private void keep(List<Measured> more) {
        measured.addAll(more);
        more.forEach(one -> steps.line(Lines.of(one)));
    }

    /** So that no case is charged for the classes that it loads first, or for what a client opens with its first call. */
    private void warmUp() throws InterruptedException {
        tell("warm-up");
        Load load = new Load();
        target.rows().forEach(row -> load.on(row, USERS));
        TimeUnit.SECONDS.sleep(WARM_UP_SECONDS);
        load.end();
        secondsLeft -= WARM_UP_SECONDS;
    }

    /** On one row or several. */
    private final class Load {

        private final List<VerifiedLoad> loads = new ArrayList<>();

        Tally on(Target.RowTarget row, int users) {
            Tally tally = new Tally();
            loads.add(new VerifiedLoad(target.aggregator().port(), row.row().name(), users, CALLS, 0, tally));
            return tally;
        }

        void end() throws InterruptedException {
            for (VerifiedLoad load : loads) {
                load.close();
            }
        }
    }

    private Measured measure(Case one, Target.RowTarget row) throws IOException, InterruptedException {
        long start = System.nanoTime();
        Vitals before = vitals(List.of(row));
        Load load = new Load();
        Tally tally = load.on(row, USERS);
        Optional<Tally> beside = beside(row).map(other -> load.on(other, USERS_BESIDE));
        Scene scene = new Scene(faults, network, row, tally, target.aggregator().port());
        boolean well = awaitWell(tally, Duration.ZERO);
        if (!well) {
            scene.missed().add("not well before");
        }
        Optional<Double> recovery = carryOut(one, scene, tally);
        load.end();
        List<String> missed = Measured.missed(
                tally.answers(),
                beside.map(Tally::answers),
                recovery.orElse(null),
                longestError(),
                one.is(Trait.AGGREGATOR_AWAY),
                one.is(Trait.EVERY_ROW),
                scene.missed());
        if (recovery.isEmpty()) {
            repair(row);
        }
        Vitals after = vitalsAfter(before, List.of(row));
        missed.addAll(Measured.grown(before, after));
        return new Measured(
                row.row().name(),
                one.name(),
                one.what(),
                (System.nanoTime() - start) / 1e9,
                tally.answers(),
                beside.map(Tally::answers).orElse(null),
                recovery.orElse(null),
                before,
                after,
                scene.remarks(),
                missed);
    }

    /** What the mixed faults do to one row. */
    private static final class Mixed {

        private final Target.RowTarget row;
        private final Tally tally;
        private final List<String> missed = new ArrayList<>();
        private double recovery;
        private int faults;

        Mixed(Target.RowTarget row, Tally tally) {
            this.row = row;
            this.tally = tally;
        }
    }

    /** All rows at once; each fault of one of them is over, and that row is well, before the next begins. */
    private List<Measured> soak() throws IOException, InterruptedException {
        long start = System.nanoTime();
        Vitals before = vitals(rows());
        Load load = new Load();
        List<Mixed> mixed = rows().stream()
                .map(row -> new Mixed(row, load.on(row, USERS / 2)))
                .toList();
        while (System.nanoTime() - start < plan.soak.toNanos()) {
            mix(mixed.get(random.nextInt(mixed.size())));
        }
        load.end();
        Vitals after = vitalsAfter(before, rows());
        double seconds = (System.nanoTime() - start) / 1e9;
        return mixed.stream().map(one -> measured(one, seconds, before, after)).toList();
    }

    private void mix(Mixed one) throws IOException, InterruptedException {
        List<Case> cases = Cases.mixed(one.row).toList();
        Case chosen = cases.get(random.nextInt(cases.size()));
        tell("mixed faults, %s: %s".formatted(one.row.row().name(), chosen.name()));
        long start = System.nanoTime();
        Scene scene = new Scene(
                faults, network, one.row, one.tally, target.aggregator().port());
        Optional<Double> recovery = carryOut(chosen, scene, one.tally);
        one.faults++;
        one.recovery = Math.max(one.recovery, recovery.orElse(0.0));
        one.missed.addAll(scene.missed());
        if (recovery.isEmpty()) {
            one.missed.add("not well after " + chosen.name());
            repair(one.row);
        }
        secondsLeft -= (System.nanoTime() - start) / 1e9;
    }

    private Measured measured(Mixed one, double seconds, Vitals before, Vitals after) {
        Answers answers = one.tally.answers();
        List<String> missed =
                Measured.missed(answers, Optional.empty(), one.recovery, longestError(), false, true, one.missed);
        missed.addAll(Measured.grown(before, after));
        return new Measured(
                one.row.row().name(),
                Cases.SOAK,
                "faults of all rows at random, one after the other, for %.0f min".formatted(seconds / 60),
                seconds,
                answers,
                null,
                one.recovery,
                before,
                after,
                List.of("%d faults of this row in %.0f min, seed %d".formatted(one.faults, seconds / 60, plan.seed)),
                missed);
    }

    /** @return how long the row needed to be well again; empty where it is not */
    private Optional<Double> carryOut(Case one, Scene scene, Tally tally) throws IOException, InterruptedException {
        try {
            one.script().run(scene);
        } catch (StackException | ProcessException e) {
            scene.missed()
                    .add(String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
        }
        // Calls that nobody will answer any more end at their deadline.
        boolean well = awaitWell(tally, plan.deadline.plusSeconds(1));
        OptionalDouble recovery = tally.recovery();
        return well && recovery.isPresent() ? Optional.of(recovery.getAsDouble()) : Optional.empty();
    }

    /** @param least how long to watch, even if all is well */
    private static boolean awaitWell(Tally tally, Duration least) throws InterruptedException {
        long start = System.nanoTime();
        while (true) {
            long waited = System.nanoTime() - start;
            if (tally.isWell() && waited > least.toNanos()) {
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

    /** What did not get well by itself is started anew, so that the next case is not charged for it. */
    private void repair(Target.RowTarget row) throws IOException {
        steps.line("%s is not well; its responder and the aggregator are started again."
                .formatted(row.row().name()));
        try {
            faults.clear();
            faults.heal(Steps.SILENT);
            Optional<String> responder = Part.RESPONDER.of(row);
            if (responder.isPresent()) {
                faults.restart(responder.get(), Steps.SILENT);
            }
            faults.restart(Repository.AGGREGATOR, Steps.SILENT);
        } catch (StackException | ProcessException e) {
            steps.line(String.valueOf(e.getMessage()));
        }
    }

    /** A row with another responder and another broker, by which is seen whether others feel what is done. */
    private Optional<Target.RowTarget> beside(Target.RowTarget row) {
        return target.rows().stream()
                .filter(other -> !other.responder().equals(row.responder())
                        && (row.broker().isEmpty() || !other.broker().equals(row.broker())))
                .findFirst();
    }

    private Vitals vitals(List<Target.RowTarget> rows) throws IOException {
        return Vitals.of(
                testbed.stack(),
                Repository.AGGREGATOR,
                Stream.concat(
                        Stream.of(Repository.AGGREGATOR),
                        rows.stream().flatMap(row -> Part.RESPONDER.of(row).stream())));
    }

    private Vitals vitalsAfter(Vitals before, List<Target.RowTarget> rows) throws IOException, InterruptedException {
        long start = System.nanoTime();
        while (true) {
            Vitals after = vitals(rows);
            if (Measured.grown(before, after).isEmpty() || System.nanoTime() - start > PATIENCE_WITH_VITALS.toNanos()) {
                return after;
            }
            TimeUnit.SECONDS.sleep(2);
        }
    }
}
