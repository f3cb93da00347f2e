package dev.chatterbox.aggregator.web;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Map;
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
     * Rates are per second, latencies are seconds, and absent where nothing ended.
     *
     * @param state absent where the transport was not checked
     * @param calls numbers that were to be squared
     * @param waiting requests that wait until the limit on calls in flight lets them send their next call
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record VariantSample(
            @Nullable String state,
            @Nullable String reason,
            double requests,
            double calls,
            int inFlight,
            int waiting,
            @Nullable Double callP50,
            @Nullable Double callP99,
            @Nullable Double requestP50,
            @Nullable Double requestP99,
            Map<String, Double> outcomes) {}
}
