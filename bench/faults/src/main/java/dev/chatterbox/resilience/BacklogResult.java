package dev.chatterbox.resilience;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A run of a queue whose consumers were held at first.
 *
 * @param rate messages a second that were to be published
 * @param memory of the broker's processes: before the run, and the most during it, in bytes; the same for {@code disk}
 * @param diskOfMessage the growth of the broker's files while nobody consumed ÷ the messages published meanwhile; null
 *     if they did not grow
 * @param phases in the order of time; a phase that did not come is absent
 * @param progress one a second
 * @param samples about two a second
 * @param missed sentences about the criteria that were not met; empty if all were met
 */
record BacklogResult(
        String row,
        int rate,
        int messages,
        @JsonUnwrapped QueueCounts counts,
        Growth memory,
        Growth disk,
        @Nullable Double diskOfMessage,
        List<Phase> phases,
        List<Progress> progress,
        List<Sample> samples,
        List<String> missed) {

    /** Bytes. */
    record Growth(long before, long most) {}

    /**
     * A part of the run.
     *
     * @param name {@code held}, {@code draining} or {@code drained}
     * @param publishedPerSecond messages; {@code receivedPerSecond}: likewise
     * @param waiting messages at its end
     * @param p99Millis from a message's publishing to its acknowledgement; null without acknowledgements
     */
    record Phase(
            String name,
            double seconds,
            double publishedPerSecond,
            double receivedPerSecond,
            long waiting,
            @Nullable Double p99Millis) {}

    /** @param seconds since the first message was published; messages until then */
    record Progress(double seconds, long published, long received) {

        long waiting() {
            return Math.max(0, published - received);
        }
    }

    /** Bytes of the broker at a time, in seconds since the run was asked for. */
    record Sample(double seconds, long memory, long disk) {}

    boolean met() {
        return missed.isEmpty();
    }
}
