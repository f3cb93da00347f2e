package dev.chatterbox.report.advice;

import dev.chatterbox.results.Cell;
import dev.chatterbox.results.Estimate;
import dev.chatterbox.results.Estimator;
import dev.chatterbox.results.Results;
import dev.chatterbox.results.Sums;
import dev.chatterbox.transport.Exchange;
import dev.chatterbox.workloads.ExchangeShape;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What it changed that calls of a row went together, beside the same calls as single messages.
 *
 * @param exchange {@code batch} or {@code stream}
 * @param load the load of the calls that went together
 * @param single CPU-microseconds of a call as a message of its own
 * @param together CPU-microseconds of a call that went together with others
 * @param ratio how many times dearer the single call was
 * @param low the lower end of the 99 % interval of the ratio
 * @param high the upper end
 */
public record Batched(
        String row,
        String exchange,
        String load,
        double single,
        double together,
        double ratio,
        double low,
        double high) {

    /** Whether they went in messages of several, and not in a stream. */
    public boolean isBatch() {
        return exchange.equals(Exchange.BATCH.text());
    }

    /** For each row and exchange the pair with the most calls a message, and a request, that was measured. */
    static List<Batched> of(Results results, Estimator estimator) {
        Map<String, Cell> largest = new TreeMap<>();
        results.cells().stream()
                .filter(cell -> !cell.bare() && cell.side() == null && cell.isRanked())
                .filter(cell -> cell.workload().exchange() != Exchange.UNARY
                        && cell.workload().exchange() != Exchange.QUEUE
                        && cell.workload().distanceMillis() == 0)
                .sorted(Comparator.comparing((Cell cell) -> cell.workload().payloadBytes(), Comparator.reverseOrder())
                        .thenComparing(cell -> cell.workload().calls())
                        .thenComparing(cell -> cell.workload().size()))
                .forEach(cell -> results.cell(cell.row(), cell.workload().by(ExchangeShape.UNARY), null)
                        .filter(Cell::isRanked)
                        .ifPresent(single -> largest.put(
                                cell.row() + " " + cell.workload().exchange().text(), cell)));
        return largest.values().stream()
                .map(cell -> of(
                        cell,
                        results.cell(cell.row(), cell.workload().by(ExchangeShape.UNARY), null)
                                .orElseThrow(),
                        estimator))
                .filter(pair -> Double.isFinite(pair.high()))
                .toList();
    }

    private static Batched of(Cell together, Cell single, Estimator estimator) {
        Estimate ratio = estimator.ratio(Sums.cpu(single), Sums.cpu(together));
        return new Batched(
                together.row(),
                together.workload().exchange().text(),
                together.workload().toString(),
                Sums.cpu(single).value(),
                Sums.cpu(together).value(),
                ratio.value(),
                ratio.from(),
                ratio.to());
    }
}
