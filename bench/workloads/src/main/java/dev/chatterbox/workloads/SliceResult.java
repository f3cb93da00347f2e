package dev.chatterbox.workloads;

import com.google.protobuf.ByteString;
import dev.chatterbox.proto.SliceAnswer;
import dev.chatterbox.transport.CallMode;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/**
 * The result of a {@link Slice}.
 *
 * @param id the id of the slice
 * @param seconds from its first request to its last answer; of a queue, from its first message until the last one is
 *     consumed
 * @param right right answers; throughput is {@code right} divided by {@code seconds}
 * @param failures other requests, by kind: {@code timeout}, {@code connect}, {@code wrong}, {@code http-503} and the
 *     like; {@code unsent} for a request of the open model that found no free user before the slice's end
 * @param unansweredNanos the age of the youngest request without an answer, at which it was given up: no percentile
 *     above it is known; 0 if every request was answered
 * @param latency nanoseconds of every request, unanswered ones with their age; in the open model from the intended
 *     start. Only the generator has it
 * @param busiestThread the part of {@code seconds}, 0 to 1, that the generator's busiest thread spent on a processor
 * @param inFlight calls in flight of a bare client; 0 for the generator
 * @param consumed different messages of a queue that were consumed, which the bench counts; 0 for other call modes
 */
public record SliceResult(
        String id,
        double seconds,
        long right,
        Map<String, Long> failures,
        long unansweredNanos,
        Histogram latency,
        double busiestThread,
        int inFlight,
        long consumed) {

    /** Significant digits of a latency: any value is off by at most 0.1 %. */
    public static final int DIGITS = 3;

    public SliceResult {
        failures = Map.copyOf(failures);
    }

    /** A result of the generator. */
    public SliceResult(
            String id,
            double seconds,
            long right,
            Map<String, Long> failures,
            long unansweredNanos,
            Histogram latency,
            double busiestThread) {
        this(id, seconds, right, failures, unansweredNanos, latency, busiestThread, 0, 0);
    }

    /** A result without the times of requests. */
    public SliceResult(String id, double seconds, long right, Map<String, Long> failures, int inFlight, long consumed) {
        this(id, seconds, right, failures, 0, new Histogram(DIGITS), 0, inFlight, consumed);
    }

    /**
     * The result of a program of one-way messages, which is ready or has done its part.
     *
     * @param failure in a word; empty if there was none
     */
    public static SliceResult done(Slice slice, String failure) {
        return new SliceResult(slice.id(), 0, 0, failure.isEmpty() ? Map.of() : Map.of(failure, 1L), 0, 0);
    }

    /** How many calls were answered right; in a queue, how many different messages were consumed. */
    public long calls(Workload workload) {
        return workload.mode() == CallMode.QUEUE ? consumed : right * workload.calls();
    }

    /** How many requests were not answered right. */
    public long failed() {
        return failures.values().stream().mapToLong(Long::longValue).sum();
    }

    /** Latencies in the form in which they are sent and kept: compressed, without any loss. */
    public static byte[] compressed(Histogram latency) {
        ByteBuffer buffer = ByteBuffer.allocate(latency.getNeededByteBufferCapacity());
        int length = latency.encodeIntoCompressedByteBuffer(buffer);
        return Arrays.copyOf(buffer.array(), length);
    }

    /** @throws WorkloadException these are no compressed latencies */
    public static Histogram latency(byte[] compressed) {
        try {
            return Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(compressed), 0);
        } catch (DataFormatException | IllegalArgumentException e) {
            throw new WorkloadException("Latencies cannot be read: " + e.getMessage());
        }
    }

    SliceAnswer answer() {
        return SliceAnswer.newBuilder()
                .setId(id)
                .setSeconds(seconds)
                .setRight(right)
                .putAllFailures(failures)
                .setUnansweredNanos(unansweredNanos)
                .setLatency(ByteString.copyFrom(compressed(latency)))
                .setBusiestThread(busiestThread)
                .setInFlight(inFlight)
                .build();
    }

    /** @param answer of a program in another language perhaps, which knows no histogram */
    static SliceResult of(SliceAnswer answer) {
        ByteString latency = answer.getLatency();
        return new SliceResult(
                answer.getId(),
                answer.getSeconds(),
                answer.getRight(),
                answer.getFailuresMap(),
                answer.getUnansweredNanos(),
                latency.isEmpty() ? new Histogram(DIGITS) : latency(latency.toByteArray()),
                answer.getBusiestThread(),
                answer.getInFlight(),
                0);
    }
}
