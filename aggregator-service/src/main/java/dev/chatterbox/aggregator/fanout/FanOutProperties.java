package dev.chatterbox.aggregator.fanout;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.chatterbox.client.CallLimits;
import dev.chatterbox.client.ClientSettings;
import dev.chatterbox.client.SquareClient;
import dev.chatterbox.transport.CallMode;
import dev.chatterbox.transport.Defaults;
import dev.chatterbox.variants.Variant;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What one request may ask for, and how much may be in flight at once. The same for every transport, except for
 * variants that have bounds of their own. The defaults come from the measurements in docs/decisions.
 *
 * @param maxCalls the largest n, 1 to 1,000,000
 * @param callTimeout the deadline of a call, from its sending to its reply, 10 ms to 10 min; shorter by the time that
 *     its request waited for its turn while no reply came at all
 * @param concurrencyPerRequest messages of one request in flight, 1 to 100,000
 * @param maxInFlight messages of one transport in flight, over all requests, 1 to 100,000
 * @param inputsPerRequest inputs of one request in flight, 1 to 10,000,000; at least as many as messages
 * @param maxInputsInFlight inputs of one transport in flight, over all requests, 1 to 10,000,000; at least as many as
 *     messages
 * @param payloadHeapShare the share of the heap that the payloads in flight of one transport may take, 0.001 to 0.5,
 *     and one request may take half of it. Each payload exists several times: in the request, in the reply, and in what
 *     libraries and brokers keep until it is sent
 * @param maxRequests requests being answered or waiting, over all transports, 1 to 100,000; further ones are refused
 */
@ConfigurationProperties("chatterbox")
public record FanOutProperties(
        @DefaultValue("10000") int maxCalls,
        @DefaultValue(Defaults.CALL_TIMEOUT_SECONDS + "s") Duration callTimeout,
        @DefaultValue("" + Defaults.PER_REQUEST) int concurrencyPerRequest,
        @DefaultValue("" + Defaults.IN_FLIGHT) int maxInFlight,
        @DefaultValue("10000") int inputsPerRequest,
        @DefaultValue("100000") int maxInputsInFlight,
        @DefaultValue("0.0625") double payloadHeapShare,
        @DefaultValue("1000") int maxRequests) {

    public FanOutProperties {
        ClientSettings.requireRange("chatterbox.max-calls", maxCalls, 1_000_000);
        ClientSettings.requireRange("chatterbox.concurrency-per-request", concurrencyPerRequest, 100_000);
        ClientSettings.requireRange("chatterbox.max-in-flight", maxInFlight, 100_000);
        ClientSettings.requireRange("chatterbox.inputs-per-request", inputsPerRequest, 10_000_000);
        ClientSettings.requireRange("chatterbox.max-inputs-in-flight", maxInputsInFlight, 10_000_000);
        if (!(payloadHeapShare >= 0.001 && payloadHeapShare <= 0.5)) {
            throw new IllegalArgumentException(
                    "chatterbox.payload-heap-share must be 0.001 to 0.5, but it is " + payloadHeapShare);
        }
        ClientSettings.requireRange("chatterbox.max-requests", maxRequests, 100_000);
        if (callTimeout.compareTo(Duration.ofMillis(10)) < 0 || callTimeout.compareTo(Duration.ofMinutes(10)) > 0) {
            throw new IllegalArgumentException("chatterbox.call-timeout must be 10ms to 10m, but it is " + callTimeout);
        }
    }

    /** A copy in which the variant's own bounds replace those that the variant sets. */
    FanOutProperties of(Variant variant) {
        return new FanOutProperties(
                maxCalls,
                callTimeout,
                variant.client().bounds().perRequest().orElse(concurrencyPerRequest),
                variant.client().bounds().inFlight().orElse(maxInFlight),
                inputsPerRequest,
                maxInputsInFlight,
                payloadHeapShare,
                maxRequests);
    }

    /** The bounds of a variant, over all requests. */
    InFlightBounds boundsInAll(SquareClient client) {
        return new InFlightBounds(
                Math.min(maxInFlight, client.maxInFlight()),
                Math.max(maxInFlight, maxInputsInFlight),
                Math.min(maxBytesInFlight(), client.maxBytesInFlight()));
    }

    /** @param inAll the variant's bounds over all requests */
    InFlightBounds boundsPerRequest(InFlightBounds inAll) {
        int inputs = Math.max(concurrencyPerRequest, inputsPerRequest);
        return new InFlightBounds(concurrencyPerRequest, Math.min(inputs, inAll.inputs()), inAll.bytes() / 2);
    }

    /** The limits for a variant's client; call it on the properties with the variant's own bounds. */
    CallLimits callLimits(Variant variant) {
        return new CallLimits(
                maxInFlight,
                variant.modes().contains(CallMode.STREAM) ? maxInFlight : 0,
                maxBytesInFlight(),
                callTimeout);
    }

    /** Payloads of one transport in flight, over all requests, in bytes. */
    @JsonProperty
    long maxBytesInFlight() {
        return (long) (payloadHeapShare * Runtime.getRuntime().maxMemory());
    }
}
