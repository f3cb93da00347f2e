package dev.chatterbox.comparison.counts;

import dev.chatterbox.processes.LocalHttp;
import java.io.IOException;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What an aggregator shows of a row's calls.
 *
 * @param durations from sent to replied
 * @param allocatedBytes by the whole aggregator; 0 where it is unknown
 */
public record CallReading(LatencyBuckets durations, long allocatedBytes) {

    public static final CallReading NONE = new CallReading(LatencyBuckets.NONE, 0);

    /** Since the aggregator's start; {@link #NONE} where it does not answer, or not with figures. */
    public static CallReading read(int port, String row) {
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

    /** What was added since an earlier reading of the same row; {@link #NONE} where that one failed. */
    public CallReading since(CallReading earlier) {
        if (earlier == NONE) {
            return NONE;
        }
        boolean known = allocatedBytes > 0 && earlier.allocatedBytes > 0;
        return new CallReading(
                durations.since(earlier.durations), known ? Math.max(0, allocatedBytes - earlier.allocatedBytes) : 0);
    }
}
