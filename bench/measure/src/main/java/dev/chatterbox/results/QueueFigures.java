package dev.chatterbox.results;

import dev.chatterbox.workloads.MessageFile;
import dev.chatterbox.workloads.MessageFile.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import java.util.stream.DoubleStream;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * What became of the one-way messages of a slice, by the files of the two programs, or in all slices of a cell. Then
 * counts are sums over the slices; of the latencies, each percentile is the median of the slices' own, and the maximum
 * is the largest of all slices. In results of before
 * {@code produce} and {@code consume}, an aggregator made the runs, of which a slice had several.
 *
 * @param runs how many slices there were
 * @param ended how often one ended so
 * @param published messages that were given to the client library
 * @param acknowledged messages of which the broker said that it has them
 * @param refused those that the broker did not take
 * @param unknown the other published ones, all of them where nothing is acknowledged
 * @param received messages that were consumed, with what is doubled
 * @param consumed different messages that were consumed
 * @param missing published and not refused, but not consumed
 * @param lost those among the missing that were acknowledged
 * @param doubled how often a message was consumed again
 * @param outOfOrder messages that came to a consumer after one with a higher number of the same topic; null in results
 *     of before it was counted, as the next one
 * @param makeSeconds how long the topics, and what their groups need, took to make: the mean of the runs
 * @param publishedPerSecond from a run's first message until its last one was published or acknowledged
 * @param consumedPerSecond from a run's first message until its last one was consumed
 * @param acknowledge from a message's publishing to its acknowledgement
 * @param oneWay from a message's making to its consumer
 */
public record QueueFigures(
        long runs,
        Map<String, Long> ended,
        long published,
        long acknowledged,
        long refused,
        long unknown,
        long received,
        long consumed,
        long missing,
        long lost,
        long doubled,
        @Nullable Long outOfOrder,
        @Nullable Double makeSeconds,
        double publishedPerSecond,
        double consumedPerSecond,
        Latency acknowledge,
        Latency oneWay) {

    /** A slice whose messages were all acknowledged, where something acknowledges, and consumed by each group. */
    public static final String COMPLETE = "complete";

    /** Nothing happened any more. */
    public static final String NO_PROGRESS = "no-progress";

    /** The sum of the squares, which the consumers added up, is not that of the consumed numbers. */
    public static final String WRONG_SUM = "wrong-sum";

    /**
     * Counts the messages of one slice.
     *
     * @param ordered how many messages were to be published; 0 if the time alone bounded the slice
     * @param consumed one file for each group
     */
    public static QueueFigures of(long ordered, MessageFile produced, List<MessageFile> consumed) {
        long published = produced.get(Field.COUNT);
        long acknowledged = 0;
        long refused = 0;
        long missing = 0;
        long lost = 0;
        long sum = 0;
        long distinct = 0;
        Histogram waits = new Histogram(3);
        Histogram oneWay = new Histogram(3);
        for (int number = 1; number <= published; number++) {
            int state = produced.state(number);
            if (state > 0) {
                acknowledged++;
                waits.recordValue(state);
            } else if (state == MessageFile.REFUSED) {
                refused++;
            }
            for (MessageFile group : consumed) {
                int micros = group.state(number);
                if (micros > 0) {
                    distinct++;
                    sum += (long) number * number;
                    oneWay.recordValue(micros);
                } else if (state != MessageFile.REFUSED) {
                    missing++;
                    lost += state > 0 ? 1 : 0;
                }
            }
        }
        boolean complete = published > 0 && published >= ordered && missing == 0 && refused == 0;
        boolean rightSum = sum == sum(consumed, group -> group.get(Field.SUM));
        long last = consumed.stream()
                .mapToLong(group -> group.get(Field.LAST))
                .max()
                .orElse(0);
        return new QueueFigures(
                1,
                Map.of(rightSum ? complete ? COMPLETE : NO_PROGRESS : WRONG_SUM, 1L),
                published,
                acknowledged,
                refused,
                published - acknowledged - refused,
                sum(consumed, group -> group.get(Field.COUNT)),
                distinct,
                missing,
                lost,
                sum(consumed, group -> group.get(Field.DOUBLED)),
                sum(consumed, group -> group.get(Field.OUT_OF_ORDER)),
                produced.get(Field.MADE) / 1e6,
                perSecond(published, (produced.get(Field.LAST) - produced.get(Field.FIRST)) / 1e6),
                perSecond(distinct, (last - produced.get(Field.FIRST)) / 1e6),
                latency(waits),
                latency(oneWay));
    }

    private static Latency latency(Histogram micros) {
        return micros.getTotalCount() == 0
                ? Latency.NONE
                : new Latency(
                        micros.getValueAtPercentile(50) / 1e6,
                        null,
                        micros.getValueAtPercentile(95) / 1e6,
                        micros.getValueAtPercentile(99) / 1e6,
                        null,
                        micros.getMaxValue() / 1e6,
                        null);
    }

    /**
     * @param slices at least one, each as {@link #of} counts it
     * @param timed those of them whose rates and latencies are figures
     */
    public static QueueFigures sum(List<QueueFigures> slices, List<QueueFigures> timed) {
        Map<String, Long> ended = new TreeMap<>();
        slices.forEach(slice -> slice.ended.forEach((how, count) -> ended.merge(how, count, Long::sum)));
        return new QueueFigures(
                sum(slices, QueueFigures::runs),
                ended,
                sum(slices, QueueFigures::published),
                sum(slices, QueueFigures::acknowledged),
                sum(slices, QueueFigures::refused),
                sum(slices, QueueFigures::unknown),
                sum(slices, QueueFigures::received),
                sum(slices, QueueFigures::consumed),
                sum(slices, QueueFigures::missing),
                sum(slices, QueueFigures::lost),
                sum(slices, QueueFigures::doubled),
                sum(slices, slice -> Objects.requireNonNull(slice.outOfOrder)),
                seconds(slices, slice -> Objects.requireNonNull(slice.makeSeconds)) / slices.size(),
                perSecond(
                        sum(timed, QueueFigures::published),
                        seconds(timed, slice -> seconds(slice.published, slice.publishedPerSecond))),
                perSecond(sum(timed, QueueFigures::consumed), seconds(timed, QueueFigures::consumeSeconds)),
                latency(timed, QueueFigures::acknowledge),
                latency(timed, QueueFigures::oneWay));
    }

    /** How the slice ended; of several, each way that occurred. */
    public String end() {
        return String.join(", ", ended.keySet());
    }

    /** How long it took from the first message's publishing until the last one was consumed; 0 if none was. */
    public double consumeSeconds() {
        return seconds(consumed, consumedPerSecond);
    }

    private static double seconds(long count, double perSecond) {
        return count == 0 ? 0 : count / perSecond;
    }

    private static double perSecond(long count, double seconds) {
        return count == 0 ? 0 : count / seconds;
    }

    private static <T> long sum(List<T> counted, ToLongFunction<T> count) {
        return counted.stream().mapToLong(count).sum();
    }

    private static double seconds(List<QueueFigures> slices, ToDoubleFunction<QueueFigures> seconds) {
        return slices.stream().mapToDouble(seconds).sum();
    }

    private static Latency latency(List<QueueFigures> slices, Function<QueueFigures, Latency> of) {
        List<Latency> measured =
                slices.stream().map(of).filter(latency -> latency.max() != null).toList();
        return measured.isEmpty()
                ? Latency.NONE
                : new Latency(
                        median(measured, Latency::p50),
                        null,
                        median(measured, Latency::p95),
                        median(measured, Latency::p99),
                        null,
                        values(measured, Latency::max).max().orElseThrow(),
                        null);
    }

    private static double median(List<Latency> latencies, Function<Latency, @Nullable Double> percentile) {
        return Quantile.of(0.5, values(latencies, percentile));
    }

    private static DoubleStream values(List<Latency> latencies, Function<Latency, @Nullable Double> percentile) {
        return latencies.stream().mapToDouble(latency -> Objects.requireNonNull(percentile.apply(latency)));
    }

    /** Sentences that say why a variant did not do the work of the others, and so is not ranked; empty if it did. */
    public List<String> doubts() {
        List<String> doubts = new ArrayList<>();
        if (missing > 0 || refused > 0) {
            doubts.add(String.format(
                    Locale.ROOT,
                    "of %,d published messages, %,d were not consumed, %,d of them acknowledged; the broker refused %,d",
                    published,
                    missing,
                    lost,
                    refused));
        }
        long whole = ended.getOrDefault(COMPLETE, 0L);
        if (whole < runs) {
            doubts.add("%d of %d runs did not come to their end".formatted(runs - whole, runs));
        }
        return doubts;
    }
}
