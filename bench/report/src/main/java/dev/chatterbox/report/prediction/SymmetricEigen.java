package dev.chatterbox.report.prediction;

import java.util.Arrays;

/**
 * Eigenvalues and eigenvectors of a small symmetric matrix that has none below 0, by Jacobi's rotations (Golub and Van
 * Loan, "Matrix Computations", section 8.5).
 *
 * @param values the eigenvalues
 * @param vectors the eigenvectors, in columns
 */
record SymmetricEigen(double[] values, double[][] vectors) {

    private static final int MOST_SWEEPS = 60;
    private static final double ZERO = 1e-14;

    static SymmetricEigen of(double[][] matrix) {
        int size = matrix.length;
        double[][] a = Arrays.stream(matrix).map(double[]::clone).toArray(double[][]::new);
        double[][] vectors = new double[size][size];
        for (int i = 0; i < size; i++) {
            vectors[i][i] = 1;
        }
        for (int sweep = 0; sweep < MOST_SWEEPS; sweep++) {
            for (int p = 0; p < size; p++) {
                for (int q = p + 1; q < size; q++) {
                    rotate(a, vectors, p, q);
                }
            }
        }
        double[] values = new double[size];
        for (int i = 0; i < size; i++) {
            values[i] = Math.max(0, a[i][i]);
        }
        return new SymmetricEigen(values, vectors);
    }

    /** Rotates so that the element in row p and column q becomes 0. */
    private static void rotate(double[][] a, double[][] vectors, int p, int q) {
        if (Math.abs(a[p][q]) < ZERO) {
            return;
        }
        double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
        double tangent = Math.copySign(1, theta) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
        double cosine = 1 / Math.sqrt(tangent * tangent + 1);
        double sine = tangent * cosine;
        for (int k = 0; k < a.length; k++) {
            double kp = a[k][p];
            a[k][p] = cosine * kp - sine * a[k][q];
            a[k][q] = sine * kp + cosine * a[k][q];
        }
        for (int k = 0; k < a.length; k++) {
            double pk = a[p][k];
            a[p][k] = cosine * pk - sine * a[q][k];
            a[q][k] = sine * pk + cosine * a[q][k];
            double kp = vectors[k][p];
            vectors[k][p] = cosine * kp - sine * vectors[k][q];
            vectors[k][q] = sine * kp + cosine * vectors[k][q];
        }
    }

    /** If the matrix is XᵀX, the ratio of the largest to the smallest singular value of X. */
    double condition() {
        double least = Arrays.stream(values).min().orElse(1);
        return least <= ZERO
                ? Double.POSITIVE_INFINITY
                : Math.sqrt(Arrays.stream(values).max().orElse(1) / least);
    }

    /** An element of the diagonal of the inverse. */
    double inverseDiagonal(int row) {
        double sum = 0;
        for (int j = 0; j < values.length; j++) {
            sum += vectors[row][j] * vectors[row][j] / Math.max(values[j], ZERO);
        }
        return sum;
    }
}
