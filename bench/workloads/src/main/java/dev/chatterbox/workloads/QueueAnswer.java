package dev.chatterbox.workloads;

/**
 * What the aggregator answered to a run of the exchange {@code queue}; docs/api.md says what each figure means.
 *
 * @param ended {@code complete}, {@code no-progress} or {@code cancelled}
 */
public record QueueAnswer(
        String ended,
        long published,
        long acknowledged,
        long refused,
        long unknown,
        long received,
        long consumed,
        long missing,
        long lost,
        long doubled,
        long outOfOrder,
        double makeMillis,
        double publishMillis,
        double consumeMillis,
        Percentiles acknowledge,
        Percentiles oneWay) {

    /** The end of a run of which every message was consumed. */
    public static final String COMPLETE = "complete";

    private static final String VERB = "answer";

    /** In milliseconds; all NaN where nothing was measured. */
    public record Percentiles(double p50, double p95, double p99, double max) {

        public static final Percentiles NONE = new Percentiles(Double.NaN, Double.NaN, Double.NaN, Double.NaN);

        private static Percentiles of(Line line) {
            return new Percentiles(line.number(), line.number(), line.number(), line.number());
        }
    }

    /** The answer as a line, for {@link #parse}. */
    String line() {
        return Line.of(
                VERB,
                ended,
                published,
                acknowledged,
                refused,
                unknown,
                received,
                consumed,
                missing,
                lost,
                doubled,
                outOfOrder,
                makeMillis,
                publishMillis,
                consumeMillis,
                acknowledge.p50,
                acknowledge.p95,
                acknowledge.p99,
                acknowledge.max,
                oneWay.p50,
                oneWay.p95,
                oneWay.p99,
                oneWay.max);
    }

    /** @throws WorkloadException the line is no answer */
    static QueueAnswer parse(String line) {
        Line of = new Line(line, VERB);
        return new QueueAnswer(
                of.text(),
                of.whole(),
                of.whole(),
                of.whole(),
                of.whole(),
                of.whole(),
                of.whole(),
                of.whole(),
                of.whole(),
                of.whole(),
                of.whole(),
                of.number(),
                of.number(),
                of.number(),
                Percentiles.of(of),
                Percentiles.of(of));
    }
}
