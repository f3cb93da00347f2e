package dev.chatterbox.load;

import java.nio.file.Path;

/**
 * What {@code ./chatterbox compare} runs: the plan in the file that {@code -Dchatterbox.plan} names, with a line of JSON on
 * standard output for all that happens. If the plan names a file of answers, a warm-up ends when that says {@code warm ID}, and
 * no cell begins before it says {@code next ID} of the one before.
 */
public final class ComparisonSimulation extends CellSimulation {

    public ComparisonSimulation() {
        this(plan());
    }

    private ComparisonSimulation(Plan plan) {
        super(plan, new EventLines(System.out, plan.answers() == null ? null : Path.of(plan.answers())));
    }

    private static Plan plan() {
        String file = System.getProperty("chatterbox.plan", "");
        SettingsException.require(!file.isBlank(), "chatterbox.plan must name the plan's file");
        return Plan.read(Path.of(file));
    }
}
