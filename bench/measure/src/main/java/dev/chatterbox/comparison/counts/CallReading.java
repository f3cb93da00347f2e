package dev.chatterbox.comparison.counts;

import dev.chatterbox.processes.LocalHttp;
import dev.chatterbox.stack.Member;
import dev.chatterbox.stack.Target;
import java.io.IOException;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What an aggregator reports about a row's calls.
 *
 * @param durations how long calls took, from sent to replied
 * @param allocatedBytes bytes that the whole aggregator allocated; 0 if unknown
 */
public record CallReading(LatencyBuckets durations, long allocatedBytes) {

    public static final CallReading NONE = new CallReading(LatencyBuckets.NONE, 0);

    /**
     * Reads the figures since the start of an aggregator, which may have several processes; {@link #NONE} if one does
     * not answer, or not with figures.
     */
    public static CallReading read(Target.Service aggregator, String row) {
        LatencyBuckets durations = LatencyBuckets.NONE;
        long allocatedBytes = 0;
        for (Member process : aggregator.processes()) {
            CallReading read = read(process.port(), row);
            if (read == NONE) {
                return NONE;
            }
            durations = durations.with(read.durations);
            allocatedBytes += read.allocatedBytes;
        }
        return new CallReading(durations, allocatedBytes);
    }

    private static CallReading read(int port, String row) {
        try {
            LocalHttp.Answer answer = LocalHttp.get(port, "/transports/%s/latency".formatted(row));
            if (answer.status() != 200) {
                return NONE;
            }
            JsonNode json = JsonMapper.shared().readTree(answer.body());
            return new CallReading(
                    LatencyBuckets.of(
                            json.path("buckets"), json.path("maxNanos").asLong(Long.MAX_VALUE)),
                    json.path("allocatedBytes").asLong(0));
        } catch (IOException | JacksonException e) {
            return NONE;
        }
    }

    /** What was added since an earlier reading of the same row; {@link #NONE} if that reading failed. */
    public CallReading since(CallReading earlier) {
        if (earlier == NONE) {
            return NONE;
        }
        boolean known = allocatedBytes > 0 && earlier.allocatedBytes > 0;
        return new CallReading(
                durations.since(earlier.durations), known ? Math.max(0, allocatedBytes - earlier.allocatedBytes) : 0);
    }
}
