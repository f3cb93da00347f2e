package dev.chatterbox.report.prediction;

import java.util.List;

/**
 * What the model of a row's process is made of.
 *
 * @param role of the process
 * @param seconds of processor time for each of {@link #NAMES}
 * @param within half of the 99 % interval of each; NaN where it is not known
 */
public record Coefficients(String row, String role, double[] seconds, double[] within) {

    /** One of what each costs. */
    public static final List<String> NAMES = CostModel.NAMES;
}
