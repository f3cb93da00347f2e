package dev.chatterbox.results;

import dev.chatterbox.workloads.MessageCounts;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What became of the one-way messages in all slices of a cell. Counts are sums over the slices. Of the latencies, each
 * percentile is the median of the slices' own, and the maximum is the largest of all slices. In results of before
 * {@code produce} and {@code consume}, an aggregator made the runs, of which a slice had several.
 *
 * @param runs how many slices there were
 * @param ended how often one ended so
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

    /** @param runs at least one */
    public static QueueFigures of(List<MessageCounts> runs) {
        return new QueueFigures(
                runs.size(),
                runs.stream().collect(Collectors.groupingBy(MessageCounts::ended, TreeMap::new, Collectors.counting())),
                sum(runs, MessageCounts::published),
                sum(runs, MessageCounts::acknowledged),
                sum(runs, MessageCounts::refused),
                sum(runs, MessageCounts::unknown),
                sum(runs, MessageCounts::received),
                sum(runs, MessageCounts::consumed),
                sum(runs, MessageCounts::missing),
                sum(runs, MessageCounts::lost),
                sum(runs, MessageCounts::doubled),
                sum(runs, MessageCounts::outOfOrder),
                runs.stream().mapToDouble(MessageCounts::makeMillis).sum() / runs.size() / 1e3,
                perSecond(sum(runs, MessageCounts::published), runs, MessageCounts::publishMillis),
                perSecond(sum(runs, MessageCounts::consumed), runs, MessageCounts::consumeMillis),
                latency(runs, MessageCounts::acknowledge),
                latency(runs, MessageCounts::oneWay));
    }

    private static long sum(List<MessageCounts> runs, ToLongFunction<MessageCounts> count) {
        return runs.stream().mapToLong(count).sum();
    }

    /** 0 if nothing was counted. */
    private static double perSecond(long count, List<MessageCounts> runs, ToDoubleFunction<MessageCounts> millis) {
        return count == 0 ? 0 : 1e3 * count / runs.stream().mapToDouble(millis).sum();
    }

    private static Latency latency(List<MessageCounts> runs, Function<MessageCounts, MessageCounts.Percentiles> of) {
        List<MessageCounts.Percentiles> measured =
                runs.stream().map(of).filter(one -> !Double.isNaN(one.max())).toList();
        if (measured.isEmpty()) {
            return Latency.NONE;
        }
        return new Latency(
                median(measured, MessageCounts.Percentiles::p50),
                null,
                median(measured, MessageCounts.Percentiles::p95),
                median(measured, MessageCounts.Percentiles::p99),
                null,
                measured.stream()
                                .mapToDouble(MessageCounts.Percentiles::max)
                                .max()
                                .getAsDouble()
                        / 1e3,
                null);
    }

    private static double median(
            List<MessageCounts.Percentiles> runs, ToDoubleFunction<MessageCounts.Percentiles> percentile) {
        return Quantile.of(0.5, runs.stream().mapToDouble(percentile)) / 1e3;
    }

    /** Sentences that say why a row did not do the work of the others, and so is not ranked; empty if it did. */
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
        long whole = ended.getOrDefault(MessageCounts.COMPLETE, 0L);
        if (whole < runs) {
            doubts.add("%d of %d runs did not come to their end".formatted(runs - whole, runs));
        }
        return doubts;
    }
}
