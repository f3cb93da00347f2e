package dev.chatterbox.report;

import java.util.Arrays;

/**
 * The rank-sum test of two samples: how likely the ranks of the one would lie so far apart from those of the other,
 * or farther, if both came from the same distribution, whatever that is (Wilcoxon, "Individual comparisons by ranking
 * methods", Biometrics Bulletin 1, 1945; Mann and Whitney, "On a test of whether one of two random variables is
 * stochastically larger than the other", Annals of Mathematical Statistics 18, 1947). Ties share the mean of their
 * ranks.
 */
final class RankSum {

    /** Up to so many values the distribution is counted out; beyond, it is normal to more digits than are shown. */
    private static final int COUNTED = 100;

    private RankSum() {}

    /** Two-sided; 1 where a sample is empty. */
    static double p(double[] a, double[] b) {
        if (a.length == 0 || b.length == 0) {
            return 1;
        }
        int[] ranks = doubledRanks(a, b);
        int sum = Arrays.stream(ranks, 0, a.length).sum();
        // Twice the rank sum that is expected.
        int expected = a.length * (ranks.length + 1);
        int distance = Math.abs(sum - expected);
        return ranks.length <= COUNTED
                ? counted(ranks, a.length, expected, distance)
                : normal(ranks, a.length, b.length, distance);
    }

    /** Twice the rank of each value, those of the first sample first: whole numbers also where ties share a rank. */
    private static int[] doubledRanks(double[] a, double[] b) {
        double[] all = Arrays.copyOf(a, a.length + b.length);
        System.arraycopy(b, 0, all, a.length, b.length);
        return Arrays.stream(all)
                .mapToInt(value -> {
                    int less = (int)
                            Arrays.stream(all).filter(other -> other < value).count();
                    int same = (int)
                            Arrays.stream(all).filter(other -> other == value).count();
                    return 2 * less + same + 1;
                })
                .toArray();
    }

    /** Of all ways to choose so many of the ranks, the part whose sum is at least so far from what is expected. */
    private static double counted(int[] ranks, int chosen, int expected, int distance) {
        int most = Arrays.stream(ranks).sum();
        double[][] ways = new double[chosen + 1][most + 1];
        ways[0][0] = 1;
        for (int rank : ranks) {
            for (int n = chosen; n > 0; n--) {
                for (int sum = most; sum >= rank; sum--) {
                    ways[n][sum] += ways[n - 1][sum - rank];
                }
            }
        }
        double far = 0;
        double all = 0;
        for (int sum = 0; sum <= most; sum++) {
            all += ways[chosen][sum];
            far += Math.abs(sum - expected) >= distance ? ways[chosen][sum] : 0;
        }
        return far / all;
    }

    private static double normal(int[] ranks, int a, int b, int distance) {
        double mean = Arrays.stream(ranks).average().orElse(0);
        double variance = Arrays.stream(ranks)
                        .mapToDouble(rank -> (rank - mean) * (rank - mean))
                        .sum()
                * a
                * b
                / ((double) ranks.length * (ranks.length - 1));
        return variance == 0 ? 1 : twoSided(Math.max(0, distance - 1) / Math.sqrt(variance));
    }

    /** Abramowitz and Stegun, "Handbook of mathematical functions", 26.2.17: exact to 7.5e-8. */
    private static double twoSided(double z) {
        double t = 1 / (1 + 0.2316419 * z);
        double polynomial =
                t * (0.319381530 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
        return Math.min(1, 2 * Math.exp(-z * z / 2) / Math.sqrt(2 * Math.PI) * polynomial);
    }
}
