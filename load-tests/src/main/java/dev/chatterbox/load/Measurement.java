package dev.chatterbox.load;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.chatterbox.workloads.Load;
import dev.chatterbox.workloads.SliceResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * What a row of a standalone run showed; {@link SliceResult} says more of what has the same name there.
 *
 * @param requestsPerSecond right ones, until the first user had nothing left to do
 * @param requests the right ones
 * @param totalRequests with those of the warm-up; likewise {@code totalFailed}
 * @param latency of all requests, failed ones included
 * @param buckets the same: pairs of an upper bound in nanoseconds and the number of requests up to it and above the
 *     one before
 * @param cpuSeconds processor time of this process, the generator
 * @param warmUp requests per second in each slice of the warm-up
 * @param stable whether the throughput was steady at the end of the warm-up
 * @param rate of the open model: requests that were sent per second
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record Measurement(
        String row,
        double seconds,
        double requestsPerSecond,
        long requests,
        long failed,
        Map<String, Long> failures,
        long totalRequests,
        long totalFailed,
        Percentiles latency,
        List<List<Long>> buckets,
        long unansweredNanos,
        double cpuSeconds,
        double busiestThread,
        List<Double> warmUp,
        boolean stable,
        @Nullable Double rate) {

    private static final int STEADY_SLICES = 3;
    private static final double STEADY = 0.05;

    static Measurement of(String row, LoadPlan plan, List<SliceResult> warmUp, SliceResult result, double cpuSeconds) {
        Histogram latencies = Tally.decode(result.latency());
        List<Double> rates = warmUp.stream().map(Measurement::perSecond).toList();
        long sent = result.right() + result.failed() - result.failures().getOrDefault(Judgement.UNSENT.kind(), 0L);
        return new Measurement(
                row,
                result.seconds(),
                perSecond(result),
                result.right(),
                result.failed(),
                result.failures(),
                result.right() + warmUp.stream().mapToLong(SliceResult::right).sum(),
                result.failed() + warmUp.stream().mapToLong(SliceResult::failed).sum(),
                Percentiles.of(latencies),
                buckets(latencies),
                result.unansweredNanos(),
                cpuSeconds,
                result.busiestThread(),
                rates,
                isStable(rates),
                plan.workload().load() instanceof Load.Rate ? (Double) (sent / plan.duration()) : null);
    }

    /** The last slices lie within 5 % of their mean. */
    static boolean isStable(List<Double> rates) {
        if (rates.size() < STEADY_SLICES) {
            return false;
        }
        List<Double> last = rates.subList(rates.size() - STEADY_SLICES, rates.size());
        double mean = last.stream().mapToDouble(Double::doubleValue).average().orElse(0);
        // A difference of one request is always tolerated, or no slow row would ever be stable.
        return mean > 0 && last.stream().allMatch(rate -> Math.abs(rate - mean) <= Math.max(STEADY * mean, 1));
    }

    private static double perSecond(SliceResult result) {
        return result.fullSeconds() == 0 ? 0 : result.fullRight() / result.fullSeconds();
    }

    private static List<List<Long>> buckets(Histogram latencies) {
        List<List<Long>> buckets = new ArrayList<>();
        latencies
                .recordedValues()
                .forEach(value ->
                        buckets.add(List.of(value.getValueIteratedTo(), value.getCountAddedInThisIterationStep())));
        return buckets;
    }
}
