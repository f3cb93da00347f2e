package dev.chatterbox.load;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a step showed.
 *
 * @param seconds length of the measured window
 * @param requests those that ended in the window and were right, whenever they had started
 * @param failed those that ended in the window and were not
 * @param failures the failed ones by kind
 * @param totalRequests the right ones of the whole step, warm-up and drain included; likewise the other two totals
 * @param latency of all requests that ended in the window, failed ones included
 * @param buckets the same: pairs of an upper bound in nanoseconds and the number of requests up to it and above the
 *     one before
 * @param cpuSeconds processor time of this process, the generator, in the window
 * @param busiestThread the part of the window, 0 to 1, that the busiest thread of the generator spent on a processor
 * @param rate requests started a second in the window (open model)
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonPropertyOrder({"id"})
record StepResult(
        String id,
        double seconds,
        long requests,
        long failed,
        Map<String, Long> failures,
        long totalRequests,
        long totalFailed,
        Map<String, Long> totalFailures,
        Percentiles latency,
        List<List<Long>> buckets,
        double cpuSeconds,
        double busiestThread,
        WarmedUp warmUp,
        @Nullable Double rate) {

    /** @param windows requests a second in each */
    record WarmedUp(double seconds, boolean stable, List<Double> windows) {}

    double requestsPerSecond() {
        return requests / seconds;
    }
}
