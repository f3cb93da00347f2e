package dev.chatterbox.report.prediction;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.commons.statistics.distribution.TDistribution;

/**
 * Least squares of relative errors. No coefficient is negative, because no cost is. The normal equations are solved
 * coordinate by coordinate (Franc, Hlaváč, Navara, "Sequential Coordinate-wise Algorithm for the Non-negative Least
 * Squares Problem", 2005), which also ends if two terms cannot be told apart.
 *
 * @param coefficients one for each term, 0 or more
 * @param within half of the 99 % interval of each, by Student's t; NaN if there are too few observations, 0 if the
 *     coefficient is 0
 * @param condition of the terms that occur, each scaled to unit length: the ratio of the largest to the smallest
 *     singular value, as Belsley, Kuh and Welsch have it in "Regression Diagnostics", 1980
 * @param error the sum of squares of the relative errors
 */
record LeastSquares(double[] coefficients, double[] within, double condition, double error) {

    private static final int MOST_SWEEPS = 2000;

    /** A change below this part of the largest coefficient, each in the unit of its term's mean, is no progress. */
    private static final double NO_PROGRESS = 1e-7;

    /**
     * @param terms the terms of each observation, always the same number
     * @param observed the measured value of each observation, more than 0
     */
    static LeastSquares fit(List<double[]> terms, double[] observed) {
        int size = terms.get(0).length;
        double[] scale = new double[size];
        for (int i = 0; i < observed.length; i++) {
            for (int k = 0; k < size; k++) {
                scale[k] += terms.get(i)[k] / observed[i] / observed.length;
            }
        }
        double[][] normal = new double[size][size];
        double[] right = new double[size];
        for (int i = 0; i < observed.length; i++) {
            for (int k = 0; k < size; k++) {
                double own = relative(terms.get(i)[k], observed[i], scale[k]);
                right[k] += own;
                for (int other = 0; other < size; other++) {
                    normal[k][other] += own * relative(terms.get(i)[other], observed[i], scale[other]);
                }
            }
        }
        double[] solution = solve(normal, right);
        double[] coefficients = new double[size];
        for (int k = 0; k < size; k++) {
            coefficients[k] = scale[k] == 0 ? 0 : solution[k] / scale[k];
        }
        double error = error(terms, observed, coefficients);
        int[] used = IntStream.range(0, size).filter(k -> solution[k] > 0).toArray();
        SymmetricEigen eigen = SymmetricEigen.of(correlations(normal, used));
        int[] occurring = IntStream.range(0, size).filter(k -> normal[k][k] > 0).toArray();
        int freedom = observed.length - used.length;
        double[] within = new double[size];
        for (int i = 0; i < used.length; i++) {
            int k = used[i];
            within[k] = freedom < 1
                    ? Double.NaN
                    : Math.sqrt(error / freedom * eigen.inverseDiagonal(i) / normal[k][k])
                            / scale[k]
                            * TDistribution.of(freedom).inverseCumulativeProbability(0.995);
        }
        double condition = SymmetricEigen.of(correlations(normal, occurring)).condition();
        return new LeastSquares(coefficients, within, condition, error);
    }

    private static double[][] correlations(double[][] normal, int[] used) {
        double[][] correlations = new double[used.length][used.length];
        for (int i = 0; i < used.length; i++) {
            for (int j = 0; j < used.length; j++) {
                correlations[i][j] =
                        normal[used[i]][used[j]] / Math.sqrt(normal[used[i]][used[i]] * normal[used[j]][used[j]]);
            }
        }
        return correlations;
    }

    private static double relative(double term, double observed, double scale) {
        return scale == 0 ? 0 : term / observed / scale;
    }

    private static double[] solve(double[][] normal, double[] right) {
        double[] solution = new double[right.length];
        for (int sweep = 0; sweep < MOST_SWEEPS; sweep++) {
            double change = 0;
            for (int k = 0; k < right.length; k++) {
                if (normal[k][k] > 0) {
                    double gradient = -right[k];
                    for (int other = 0; other < right.length; other++) {
                        gradient += normal[k][other] * solution[other];
                    }
                    double next = Math.max(0, solution[k] - gradient / normal[k][k]);
                    change = Math.max(change, Math.abs(next - solution[k]));
                    solution[k] = next;
                }
            }
            if (change <= NO_PROGRESS * Arrays.stream(solution).max().orElse(0)) {
                break;
            }
        }
        return solution;
    }

    private static double error(List<double[]> terms, double[] observed, double[] coefficients) {
        double sum = 0;
        for (int i = 0; i < observed.length; i++) {
            double relative = sum(terms.get(i), coefficients) / observed[i] - 1;
            sum += relative * relative;
        }
        return sum;
    }

    static double sum(double[] terms, double[] coefficients) {
        double sum = 0;
        for (int k = 0; k < terms.length; k++) {
            sum += terms[k] * coefficients[k];
        }
        return sum;
    }
}
