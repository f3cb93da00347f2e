package dev.chatterbox.report;

/**
 * One figure of a cell in two runs.
 *
 * @param ratio B by A
 * @param noise the ratio minus 1 up to which it is no more than chance, see {@link Noise}
 */
record Difference(Metric metric, String transport, Load load, double ratio, double noise, Verdict verdict) {

    enum Verdict {
        BETTER("better"),
        WORSE("worse"),
        SAME("="),
        /** Fewer rounds than a judgement needs. */
        UNKNOWN("?"),
        /** Not valid in one of them, not measured, or given and not found, as the rate of the open model is. */
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
    }

    static Difference of(Metric metric, Cell a, Cell b) {
        Figure before = a.figure(metric);
        Figure after = b.figure(metric);
        double ratio = before.exists() && after.exists() ? after.median() / before.median() : Double.NaN;
        double noise = Noise.of(before, after, metric.floorBetweenRuns());
        return new Difference(metric, a.transport(), a.load(), ratio, noise, verdict(metric, a, b, before, after));
    }

    private static Verdict verdict(Metric metric, Cell a, Cell b, Figure before, Figure after) {
        boolean given = !a.load().closed() && metric == Metric.CALLS;
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
            return Format.NONE;
        }
        return verdict == Verdict.UNKNOWN || verdict == Verdict.NONE
                ? "×" + Format.ratio(ratio)
                : "×%s ±%s".formatted(Format.ratio(ratio), Format.percent(noise));
    }
}
