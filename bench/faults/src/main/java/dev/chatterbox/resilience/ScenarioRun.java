package dev.chatterbox.resilience;

import dev.chatterbox.comparison.environment.EnvironmentProbe;
import dev.chatterbox.resilience.load.CheckedLoad;
import dev.chatterbox.results.Environment;
import dev.chatterbox.results.ResultsFile;
import dev.chatterbox.stack.Repository;
import dev.chatterbox.stack.Steps;
import dev.chatterbox.stack.Target;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.json.JsonMapper;

/** Carries out scenarios on the tested variants, one after the other. For one thread. */
public final class ScenarioRun {

    /** The file of the results. */
    public static final String NAME = "resilience.json";

    private static final int WARM_UP_SECONDS = 15;

    private final StackUnderTest stack;
    private final Path folder;
    private final String command;
    private final List<CaseResult> measured = new ArrayList<>();
    private final LocalDateTime started = LocalDateTime.now();
    private final Environment environment;

    /**
     * @param stack has a network if links are broken and, if only one variant is tested, another variant beside it
     * @param folder for the results
     * @param command the command line as a person typed it
     */
    public ScenarioRun(StackUnderTest stack, Path folder, String command) {
        this.stack = stack;
        this.folder = folder;
        this.command = command;
        Repository repository = stack.testbed().stack().repository();
        environment = EnvironmentProbe.of(stack.target(), repository.loadTests(), repository.root());
    }

    /** The approximate duration of scenarios after a warm-up. */
    public double seconds(List<Scenario> scenarios) {
        return WARM_UP_SECONDS
                + scenarios.stream()
                        .mapToDouble(scenario -> scenario.seconds()
                                * stack.variants(scenario::appliesTo).size())
                        .sum();
    }

    /** The results so far. */
    public ScenarioResults results() {
        return new ScenarioResults(command, started, environment, List.copyOf(measured));
    }

    /** Writes the results so far, as after each case. */
    public void write() throws IOException {
        ScenarioResults results = results();
        Files.createDirectories(folder);
        ResultsFile.replace(
                folder.resolve(NAME),
                JsonMapper.shared().writerWithDefaultPrettyPrinter().writeValueAsString(results));
        ResultsFile.replace(folder.resolve("resilience.md"), results.markdown());
    }

    /** Without a warm-up, the first case would pay for loading classes, and for what a client's first call opens. */
    public void warmUp() throws InterruptedException {
        stack.steps().progress("… warm-up");
        try (CheckedLoad load = new CheckedLoad(stack.port(), FaultCase.CALLS)) {
            stack.target().variants().forEach(variant -> load.users(variant.name(), FaultCase.USERS));
            TimeUnit.SECONDS.sleep(WARM_UP_SECONDS);
        }
    }

    /**
     * Runs, and prints a line about each case when the case is done. If a case fails, the next one runs all the same.
     *
     * @throws InterruptedException the run was interrupted; the results so far are kept
     */
    public void run(List<Scenario> scenarios) throws InterruptedException {
        double left = seconds(scenarios) - WARM_UP_SECONDS;
        for (Scenario scenario : scenarios) {
            for (Target.VariantTarget variant : stack.variants(scenario::appliesTo)) {
                String name = variant.name();
                stack.steps()
                        .progress(
                                "… %s: %s; about %.0f min left".formatted(name, scenario.name(), Math.ceil(left / 60)));
                Optional<String> failure = stack.failure(() -> keep(scenario.measure(stack, variant)));
                if (failure.isPresent()) {
                    keep(CaseResult.failed(name, scenario.name(), failure.get()));
                    stack.failure(stack.faults()::clear);
                }
                stack.attempt(() -> stack.faults().heal(Steps.SILENT));
                stack.attempt(this::write);
                left -= scenario.seconds();
            }
        }
    }

    private void keep(CaseResult result) {
        measured.add(result);
        stack.steps().line(result.line());
    }
}
