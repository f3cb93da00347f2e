package dev.chatterbox.aggregator.web;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.chatterbox.aggregator.fanout.Transport;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * What the live page draws of one second.
 *
 * @param time milliseconds since the epoch, at its end
 * @param seconds how long a time it covers
 * @param transports by name
 */
record Sample(long time, double seconds, ProcessSample process, Map<String, VariantSample> transports) {

    /** @param cpu cores used by this process */
    record ProcessSample(double cpu, int cpus, long heapBytes) {}

    /**
     * Rates are per second.
     *
     * @param state absent where the transport was not checked
     * @param calls numbers that were to be squared
     * @param waiting requests that wait until the limit on calls in flight lets them send their next call
     */
    record VariantSample(
            @JsonUnwrapped Transport.@Nullable State state,
            double requests,
            double calls,
            int inFlight,
            int waiting,
            @JsonUnwrapped(prefix = "call") Latency ofCalls,
            @JsonUnwrapped(prefix = "request") Latency ofRequests,
            Map<String, Double> outcomes) {}

    /** Quantiles in seconds, absent where nothing ended. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Latency(
            @JsonProperty("P50") @Nullable Double p50,
            @JsonProperty("P99") @Nullable Double p99) {

        static Latency of(Histogram nanos) {
            return nanos.getTotalCount() == 0
                    ? new Latency(null, null)
                    : new Latency(nanos.getValueAtPercentile(50) / 1e9, nanos.getValueAtPercentile(99) / 1e9);
        }
    }
}
