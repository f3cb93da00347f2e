package dev.chatterbox.workloads;

import static dev.chatterbox.workloads.MessageFile.Field;

import java.util.List;
import java.util.function.ToLongFunction;
import org.HdrHistogram.Histogram;

/**
 * The outcome of the one-way messages of a slice, by the files of the two programs.
 *
 * @param ended {@value #COMPLETE} if every message was answered and consumed by each group, else {@value #NO_PROGRESS}
 * @param published messages that were given to the client library
 * @param acknowledged those that the broker confirmed
 * @param refused those that the broker did not take
 * @param unknown the other published ones, all of them where nothing is acknowledged
 * @param received messages that were consumed, with what is doubled; this and the next figures are over all groups
 * @param consumed different messages that were consumed
 * @param missing published and not refused, but not consumed
 * @param lost those among the missing that were acknowledged
 * @param doubled how often a message was consumed again
 * @param outOfOrder messages that came after one with a higher number of the same topic
 * @param makeMillis how long the topics, and what their groups need, took to make when they were made last
 * @param publishMillis from the first message's publishing to the last acknowledgement, or the last message's publishing
 * @param consumeMillis from the first message's publishing until the last one was consumed
 * @param acknowledge from a message's publishing to its acknowledgement
 * @param oneWay from a message's making to its consumer
 * @param rightSum whether the sum of the squares, which the consumers added up, is that of the consumed numbers
 */
public record MessageCounts(
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
        Percentiles oneWay,
        boolean rightSum) {

    /** All messages were consumed. */
    public static final String COMPLETE = "complete";

    public static final String NO_PROGRESS = "no-progress";

    /** In milliseconds; all NaN where nothing was measured. */
    public record Percentiles(double p50, double p95, double p99, double max) {

        public static final Percentiles NONE = new Percentiles(Double.NaN, Double.NaN, Double.NaN, Double.NaN);

        private static Percentiles of(Histogram micros) {
            return micros.getTotalCount() == 0
                    ? NONE
                    : new Percentiles(
                            micros.getValueAtPercentile(50) / 1e3,
                            micros.getValueAtPercentile(95) / 1e3,
                            micros.getValueAtPercentile(99) / 1e3,
                            micros.getMaxValue() / 1e3);
        }
    }

    /**
     * @param ordered how many messages were to be published; 0 if the time alone bounded the slice
     * @param consumed one file for each group
     */
    public static MessageCounts of(long ordered, MessageFile produced, List<MessageFile> consumed) {
        int published = (int) produced.get(Field.COUNT);
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
        long begin = produced.get(Field.FIRST);
        long last = consumed.stream()
                .mapToLong(group -> group.get(Field.LAST))
                .max()
                .orElse(0);
        boolean complete = published > 0 && published >= ordered && missing == 0 && refused == 0;
        return new MessageCounts(
                complete ? COMPLETE : NO_PROGRESS,
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
                produced.get(Field.MADE) / 1e3,
                Math.max(0, produced.get(Field.LAST) - begin) / 1e3,
                Math.max(0, last - begin) / 1e3,
                Percentiles.of(waits),
                Percentiles.of(oneWay),
                sum == sum(consumed, group -> group.get(Field.SUM)));
    }

    private static long sum(List<MessageFile> files, ToLongFunction<MessageFile> count) {
        return files.stream().mapToLong(count).sum();
    }
}
