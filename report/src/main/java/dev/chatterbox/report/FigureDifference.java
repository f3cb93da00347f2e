package dev.chatterbox.report;

import dev.chatterbox.results.Cell;
import dev.chatterbox.workloads.Workload;

/**
 * One figure of a cell in two runs.
 *
 * @param ratio B by A
 * @param noise the ratio minus 1 up to which it is no more than chance, see {@link Noise}
 */
record FigureDifference(Metric metric, String row, Workload workload, double ratio, double noise, Verdict verdict) {

    enum Verdict {
        BETTER("better"),
        WORSE("worse"),
        SAME("="),
        /** There are fewer rounds than a judgement needs. */
        UNKNOWN("?"),
        /**
         * It is not valid in one of them, was not measured, or was given and not found, as the rate of the open model
         * is.
         */
        NONE("");

        private final String word;

        Verdict(String word) {
            this.word = word;
        }

        String word() {
            return word;
        }

        boolean counts() {
            return this == BETTER || this == WORSE;
        }

        boolean isJudged() {
            return counts() || this == SAME;
        }
    }

    static FigureDifference of(Metric metric, Cell a, Cell b) {
        Figure before = metric.of(a);
        Figure after = metric.of(b);
        double ratio = before.exists() && after.exists() ? after.median() / before.median() : Double.NaN;
        double noise = Noise.of(before, after, metric.floorBetweenRuns());
        return new FigureDifference(metric, a.row(), a.workload(), ratio, noise, verdict(metric, a, b, before, after));
    }

    private static Verdict verdict(Metric metric, Cell a, Cell b, Figure before, Figure after) {
        boolean given = a.workload().isOpen() && metric == Metric.CALLS;
        if (!a.valid() || !b.valid() || !before.exists() || !after.exists() || given) {
            return Verdict.NONE;
        }
        if (!Noise.judged(before, after)) {
            return Verdict.UNKNOWN;
        }
        if (Noise.distance(before, after) <= Noise.of(before, after, metric.floorBetweenRuns())) {
            return Verdict.SAME;
        }
        return metric.better(after.median(), before.median()) ? Verdict.BETTER : Verdict.WORSE;
    }

    /** "×1.98 ±12 %", or "–" */
    String text() {
        if (!Double.isFinite(ratio)) {
            return Numbers.NONE;
        }
        return verdict.isJudged()
                ? "×%s ±%s".formatted(Numbers.ratio(ratio), Numbers.percent(noise))
                : "×" + Numbers.ratio(ratio);
    }
}
