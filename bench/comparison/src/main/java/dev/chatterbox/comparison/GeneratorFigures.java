package dev.chatterbox.comparison;

import dev.chatterbox.results.Round;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.MissingNode;

/**
 * What the generator tells at the end of a slot; load-tests' {@code StepResult} tells what each figure is.
 *
 * @param buckets of the latencies of requests that ended in the window; none where none did: one of many calls can
 *     last longer
 * @param busiestThread the part of the window, 0 to 1, that its busiest thread spent on a processor; null if it does
 *     not tell
 * @param rate requests started per second; null in the closed model
 */
record GeneratorFigures(
        double seconds,
        long requests,
        long failed,
        Map<String, Long> failures,
        long totalRequests,
        long totalFailed,
        Map<String, Long> totalFailures,
        JsonNode buckets,
        @Nullable Double busiestThread,
        Round.WarmUp warmUp,
        @Nullable Double rate) {

    private static final JsonMapper JSON = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .build();

    GeneratorFigures {
        failures = failures == null ? Map.of() : new TreeMap<>(failures);
        totalFailures = totalFailures == null ? Map.of() : new TreeMap<>(totalFailures);
        buckets = buckets == null ? MissingNode.getInstance() : buckets;
        warmUp = warmUp == null ? new Round.WarmUp(0, false) : warmUp;
    }

    static GeneratorFigures of(JsonNode event) {
        return JSON.treeToValue(event, GeneratorFigures.class);
    }

    /** Of the requests that ended in the window, failed ones included. */
    LatencyBuckets requestLatency() {
        return LatencyBuckets.of(buckets, Long.MAX_VALUE);
    }
}
