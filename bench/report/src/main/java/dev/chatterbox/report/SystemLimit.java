package dev.chatterbox.report;

import dev.chatterbox.results.RawLimit;
import dev.chatterbox.results.Results;

/**
 * A raw limit beside what the whole system reached over the same row.
 *
 * @param best the most calls per second of a valid cell; NaN if there is none
 * @param ratio of the raw limit to it
 */
record SystemLimit(double best, double ratio) {

    static SystemLimit of(RawLimit limit, Results results) {
        double best = results.cells().stream()
                .filter(cell -> cell.valid() && cell.row().equals(limit.row()))
                .map(Metric.CALLS::of)
                .filter(Figure::exists)
                .mapToDouble(Figure::median)
                .max()
                .orElse(Double.NaN);
        return new SystemLimit(best, Metric.CALLS.of(limit).median() / best);
    }
}
