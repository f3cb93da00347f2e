package dev.chatterbox.report;

import dev.chatterbox.results.Cell;
import dev.chatterbox.workloads.Workload;

/**
 * One figure of a cell in two runs.
 *
 * @param ratio B by A
 * @param floor the ratio minus 1 up to which it is taken for none, see {@link Noise}
 * @param chance that the rounds lie so far apart if nothing differs, 0 to 1; the larger of that of B as it is, and of
 *     what B would have shown on the machine of A
 */
record FigureDifference(
        Metric metric, String row, Workload workload, double ratio, double floor, double chance, Verdict verdict) {

    enum Verdict {
        BETTER("better"),
        WORSE("worse"),
        SAME("="),
        /** Of the CPU per call: the sum is within the noise, but a process takes a larger part of it. */
        SHIFTED("shifted"),
        /** There are fewer rounds than a judgement needs, or it is a latency and the machine was not equally fast. */
        UNKNOWN("?"),
        /**
         * It is not valid or not ranked in one of them, was not measured, or was given and not found, as the rate of
         * the open model is.
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
            return this == BETTER || this == WORSE || this == SHIFTED;
        }

        boolean isJudged() {
            return counts() || this == SAME;
        }
    }

    /** @param machine how many times as much the machine of B makes everything cost, see {@link RunPair#machine} */
    static FigureDifference of(Metric metric, Cell a, Cell b, double machine) {
        Figure before = metric.of(a);
        Figure after = metric.of(b);
        Figure alike = after.times(metric.moreIsBetter() ? machine : 1 / machine);
        double ratio = before.exists() && after.exists() ? after.median() / before.median() : Double.NaN;
        return new FigureDifference(
                metric,
                a.row(),
                a.workload(),
                ratio,
                metric.floorBetweenRuns(),
                Math.max(Noise.chance(before, after), Noise.chance(before, alike)),
                verdict(metric, a, b, machine, before, after, alike));
    }

    /** @param alike what B would have shown on the machine of A */
    private static Verdict verdict(
            Metric metric, Cell a, Cell b, double machine, Figure before, Figure after, Figure alike) {
        boolean given = a.workload().isOpen() && metric == Metric.CALLS;
        boolean ranked = metric.notRanked(a).isEmpty() && metric.notRanked(b).isEmpty();
        if (!a.valid() || !b.valid() || !ranked || !before.exists() || !after.exists() || given) {
            return Verdict.NONE;
        }
        // What slows a machine for a moment makes a tail longer by far more than it makes a call dearer.
        if (!Noise.judged(before, after) || metric.isLatency() && Noise.isOtherMachine(machine)) {
            return Verdict.UNKNOWN;
        }
        boolean sameWay = (after.median() > before.median()) == (alike.median() > before.median());
        double floor = metric.floorBetweenRuns();
        if (!sameWay || !Noise.differ(before, after, floor) || !Noise.differ(before, alike, floor)) {
            boolean shifted = metric == Metric.CPU
                    && PartShift.of(a, b).flatMap(PartShift::grown).isPresent();
            return shifted ? Verdict.SHIFTED : Verdict.SAME;
        }
        return metric.better(after.median(), before.median()) ? Verdict.BETTER : Verdict.WORSE;
    }

    /** "×1.98 p 0.001", or "–" */
    String text() {
        if (!Double.isFinite(ratio)) {
            return Numbers.NONE;
        }
        return verdict.isJudged()
                ? "×%s p %s".formatted(Numbers.ratio(ratio), Numbers.chance(chance))
                : "×" + Numbers.ratio(ratio);
    }
}
