package dev.chatterbox.comparison;

import dev.chatterbox.results.Latency;
import dev.chatterbox.results.Round;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What the generator tells at the end of a slot; load-tests' {@code StepResult} tells what each figure is.
 *
 * @param latency null if no request ended in the window: one of many calls can last longer than that
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
        @Nullable Latency latency,
        Round.WarmUp warmUp,
        @Nullable Double rate) {

    private static final JsonMapper JSON = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .build();

    GeneratorFigures {
        failures = failures == null ? Map.of() : new TreeMap<>(failures);
        totalFailures = totalFailures == null ? Map.of() : new TreeMap<>(totalFailures);
        warmUp = warmUp == null ? new Round.WarmUp(0, false) : warmUp;
    }

    static GeneratorFigures of(JsonNode event) {
        return JSON.treeToValue(event, GeneratorFigures.class);
    }

    /** Of the requests that ended in the window. */
    Latency requestLatency() {
        return latency == null || requests + failed == 0
                ? Latency.NONE
                : new Latency(
                        Statistics.rounded(latency.p50()),
                        Statistics.rounded(latency.p90()),
                        Statistics.rounded(latency.p95()),
                        Statistics.rounded(latency.p99()),
                        Statistics.rounded(latency.max()));
    }
}
