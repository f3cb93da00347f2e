package dev.chatterbox.resilience;

import dev.chatterbox.comparison.environment.EnvironmentProbe;
import dev.chatterbox.resilience.load.RowLoads;
import dev.chatterbox.results.Environment;
import dev.chatterbox.stack.Repository;
import dev.chatterbox.stack.Steps;
import dev.chatterbox.stack.Target;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Carries out the chosen scenarios on each row, one after the other. For one thread. */
public final class ResilienceRun {

    private static final int WARM_UP_SECONDS = 15;

    private final StackUnderTest stack;
    private final List<Scenario> scenarios;
    private final List<CaseResult> measured = new ArrayList<>();
    private final LocalDateTime started = LocalDateTime.now();
    private final Environment environment;
    private double secondsLeft = WARM_UP_SECONDS;

    /** @param stack has a network and, if only one row is tested, another row beside it */
    public ResilienceRun(StackUnderTest stack) {
        this.stack = stack;
        Repository repository = stack.testbed().stack().repository();
        environment = EnvironmentProbe.of(stack.target(), repository.loadTests(), repository.root());
        scenarios = Scenarios.named(stack.plan().cases());
        for (Scenario scenario : scenarios) {
            secondsLeft += scenario.seconds(stack.plan()) * rows(scenario).size();
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
    public ResilienceResults results(String command, QueueCases queues) {
        return new ResilienceResults(command, started, environment, List.copyOf(measured), queues.measured());
    }

    private List<Target.RowTarget> rows(Scenario scenario) {
        return stack.rows().stream().filter(scenario::appliesTo).toList();
    }

    /**
     * Runs, and prints a line about each case when the case is done. If a case fails, the next one runs all the same.
     *
     * @throws InterruptedException the run was interrupted; the results so far are kept
     */
    public void run() throws InterruptedException {
        warmUp();
        for (Scenario scenario : scenarios) {
            for (Target.RowTarget row : rows(scenario)) {
                String name = row.row().name();
                showProgress("%s: %s".formatted(name, scenario.name()));
                Optional<String> failure = Attempt.failure(() -> keep(scenario.measure(stack, row)));
                if (failure.isPresent()) {
                    keep(CaseResult.failed(name, scenario.name(), failure.get()));
                    Attempt.failure(stack.faults()::clear);
                    Attempt.failure(() -> stack.faults().heal(Steps.SILENT)).ifPresent(stack.steps()::line);
                }
                secondsLeft -= scenario.seconds(stack.plan());
            }
        }
    }

    private void keep(CaseResult result) {
        measured.add(result);
        stack.steps().line(ResilienceTables.line(result));
    }

    private void showProgress(String what) {
        stack.steps().progress("… %s; about %.0f min left".formatted(what, Math.ceil(secondsLeft / 60)));
    }

    /** Without a warm-up, the first case would pay for loading classes, and for what a client's first call opens. */
    private void warmUp() throws InterruptedException {
        showProgress("warm-up");
        try (RowLoads load = new RowLoads(stack.port(), FaultCase.CALLS)) {
            stack.target().rows().forEach(row -> load.on(row.row().name(), FaultCase.USERS));
            TimeUnit.SECONDS.sleep(WARM_UP_SECONDS);
        }
        secondsLeft -= WARM_UP_SECONDS;
    }
}
