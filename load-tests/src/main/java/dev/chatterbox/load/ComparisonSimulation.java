package dev.chatterbox.load;

import java.nio.file.Path;

/**
 * What {@code ./chatterbox compare} runs: the plan in the file that {@code -Dchatterbox.plan} names. It tells what
 * happens in lines on standard output that begin with {@code @chatterbox } and go on in JSON:
 * {@code {"event":"ready"}}; for each step, with its {@code id}, {@code warmup}, {@code measure} and {@code measured}
 * at the edges of the phases, and {@code ended} with all members of {@link StepResult}; and {@code {"event":"done"}}.
 * If the plan names a file of answers, a warm-up ends when that says {@code warm ID}, and no step begins before it
 * says {@code next ID} of the one before.
 */
public final class ComparisonSimulation extends LoadSimulation {

    public ComparisonSimulation() {
        this(plan());
    }

    private ComparisonSimulation(LoadPlan plan) {
        super(plan, new EventLines(System.out, plan.answers() == null ? null : Path.of(plan.answers())));
    }

    private static LoadPlan plan() {
        String file = System.getProperty("chatterbox.plan", "");
        SettingsException.require(!file.isBlank(), "chatterbox.plan must name the plan's file");
        return LoadPlan.read(Path.of(file));
    }
}
