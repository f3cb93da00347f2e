package dev.chatterbox.aggregator.queue;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * What became of the messages of a run.
 *
 * @param published messages that were given to the client library
 * @param acknowledged those of which the broker said that it has them
 * @param refused those that the broker did not take
 * @param unknown the other published ones
 * @param received messages that were consumed, with what is doubled; these and the next figures are over all groups
 * @param consumed different messages that were consumed; null where that is not known
 * @param missing published and not refused, but not consumed; null where that is not known
 * @param lost those among the missing that were acknowledged; null where that is not known
 * @param doubled how often a message was consumed again; null where that is not known
 * @param outOfOrder messages that came to a responder after one with a higher number of the same topic
 * @param sum of the squares of the consumed messages, in digits: it may be beyond 2⁵³; null where it is not known
 * @param makeMillis how long the topics, and what their groups need, took to make, including the removal of what
 *     an earlier run left
 * @param publishMillis from the first message's publishing to the last acknowledgement, or the last message's publishing
 * @param consumeMillis from the first message's publishing until the last one was consumed
 * @param acknowledge how long messages waited for their acknowledgement; null without acknowledgements
 * @param oneWay how long messages took from their making to their consumer; null where the clocks differ
 * @param backlog how the backlog grew and went; null unless the consumers were held
 * @param why what is not known, and why; null where all is known
 */
@JsonInclude(JsonInclude.Include.ALWAYS)
public record QueueResult(
        Ended ended,
        int published,
        int acknowledged,
        int refused,
        int unknown,
        long received,
        @Nullable Integer consumed,
        @Nullable Integer missing,
        @Nullable Integer lost,
        @Nullable Long doubled,
        long outOfOrder,
        @Nullable String sum,
        double makeMillis,
        double publishMillis,
        double consumeMillis,
        @Nullable Latency acknowledge,
        @Nullable Latency oneWay,
        @JsonInclude(JsonInclude.Include.NON_NULL) Backlog.@Nullable Result backlog,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String why) {

    /** Why a run ended. */
    public enum Ended {
        /** As many different messages were consumed as there are. */
        COMPLETE,
        /** Nothing more was acknowledged or consumed. */
        NO_PROGRESS,
        /** The client went away. */
        CANCELLED;

        @JsonValue
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /** In milliseconds. */
    public record Latency(double p50, double p95, double p99, double max) {

        /** @param micros null or empty where nothing was measured */
        static @Nullable Latency of(@Nullable Histogram micros) {
            return micros == null || micros.getTotalCount() == 0
                    ? null
                    : new Latency(
                            micros.getValueAtPercentile(50) / 1e3,
                            micros.getValueAtPercentile(95) / 1e3,
                            micros.getValueAtPercentile(99) / 1e3,
                            micros.getMaxValue() / 1e3);
        }
    }
}
