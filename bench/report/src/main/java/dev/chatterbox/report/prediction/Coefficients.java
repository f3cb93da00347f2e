package dev.chatterbox.report.prediction;

import java.util.List;

/**
 * The coefficients of the model of a row's process.
 *
 * @param role the role of the process
 * @param seconds seconds of processor time for one of each of {@link #NAMES}
 * @param within half of the 99 % interval of each; NaN if it is not known
 */
public record Coefficients(String row, String role, double[] seconds, double[] within) {

    /** The names of the coefficients: each is the cost of one of these. */
    public static final List<String> NAMES = CostModel.NAMES;
}
