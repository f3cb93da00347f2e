package dev.chatterbox.comparison.counts;

import dev.chatterbox.processes.LocalHttp;
import dev.chatterbox.processes.ProcessMemory;
import dev.chatterbox.stack.Member;
import dev.chatterbox.stack.Target;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What an aggregator and a broker report about a variant's calls since their starts. What is not known is empty or 0.
 *
 * @param durations how many calls took how long from sent to replied: counts by the bound of their bucket in
 *     nanoseconds; null if unknown
 * @param longest nanoseconds: no call took longer
 * @param allocatedBytes bytes that the whole aggregator allocated
 * @param writtenBytes bytes that the broker gave to the disk
 */
public record CallReading(
        @Nullable Map<Long, Long> durations, long longest, long allocatedBytes, OptionalLong writtenBytes) {

    public static final CallReading NONE = new CallReading(null, 0, 0, OptionalLong.empty());

    /**
     * Reads the figures of an aggregator, which may have several processes, and of brokers. Of an aggregator of which one
     * process does not answer, or not with figures, nothing is known.
     *
     * @param aggregators the processes of the aggregator; none if it has no part in the calls
     */
    public static CallReading read(List<Member> aggregators, Target.VariantTarget variant) {
        OptionalLong written = written(variant.brokers());
        Map<Long, Long> durations = new HashMap<>();
        long longest = 0;
        long allocated = 0;
        try {
            for (Member aggregator : aggregators) {
                JsonNode answer = JsonMapper.shared()
                        .readTree(LocalHttp.get(
                                        aggregator.port(),
                                        "/transports/%s/latency"
                                                .formatted(variant.variant().name()))
                                .body());
                answer.required("buckets")
                        .values()
                        .forEach(pair -> durations.merge(
                                pair.path(0).asLong(), pair.path(1).asLong(), Long::sum));
                longest = Math.max(longest, answer.path("maxNanos").asLong(Long.MAX_VALUE));
                allocated += answer.path("allocatedBytes").asLong(0);
            }
        } catch (IOException | JacksonException e) {
            return new CallReading(null, 0, 0, written);
        }
        return new CallReading(durations, longest, allocated, written);
    }

    private static OptionalLong written(List<Member> brokers) {
        List<Long> known = brokers.stream()
                .flatMap(broker -> ProcessMemory.written(broker.pid()).stream())
                .toList();
        return known.isEmpty() || known.size() < brokers.size()
                ? OptionalLong.empty()
                : OptionalLong.of(known.stream().mapToLong(Long::longValue).sum());
    }

    /** The durations that were added since an earlier reading; none if one of both failed. */
    public Histogram durationsSince(CallReading earlier) {
        Histogram added = new Histogram(3);
        if (durations != null && earlier.durations != null) {
            Map<Long, Long> then = earlier.durations;
            durations.forEach((bound, count) -> {
                long more = count - then.getOrDefault(bound, 0L);
                if (more > 0) {
                    added.recordValueWithCount(Math.min(bound, longest), more);
                }
            });
        }
        return added;
    }

    /** The bytes that were allocated since an earlier reading; 0 if one of both failed. */
    public long allocatedSince(CallReading earlier) {
        return allocatedBytes == 0 || earlier.allocatedBytes == 0
                ? 0
                : Math.max(0, allocatedBytes - earlier.allocatedBytes);
    }

    /** The bytes that were written since an earlier reading; empty if they are not known. */
    public OptionalLong writtenSince(CallReading earlier) {
        return writtenBytes.isEmpty() || earlier.writtenBytes.isEmpty()
                ? OptionalLong.empty()
                : OptionalLong.of(writtenBytes.getAsLong() - earlier.writtenBytes.getAsLong());
    }
}
