package dev.chatterbox.load;

import java.nio.file.Path;

/**
 * What {@code ./chatterbox compare} runs: the plan in the file that {@code -Dchatterbox.plan} names, with a line of JSON on
 * standard output for all that happens.
 */
public final class ComparisonSimulation extends CellSimulation {

    public ComparisonSimulation() {
        super(plan(), new EventLines(System.out));
    }

    private static Plan plan() {
        String file = System.getProperty("chatterbox.plan", "");
        SettingsException.require(!file.isBlank(), "chatterbox.plan must name the plan's file");
        return Plan.read(Path.of(file));
    }
}
