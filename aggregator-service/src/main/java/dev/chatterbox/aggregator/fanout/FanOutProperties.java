package dev.chatterbox.aggregator.fanout;

import dev.chatterbox.rows.Row;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What one request may ask for, and how much is under way at once; the same for every transport, but for a row that
 * has bounds of its own. The defaults come from the sweep in docs/decisions.
 *
 * @param maxCalls the largest n, 1 to 1,000,000
 * @param callTimeout from the sending of a call to its reply, 10 ms to 10 min
 * @param concurrencyPerRequest calls of one request in flight, 1 to 100,000
 * @param maxInFlight calls of one transport in flight, over all requests, 1 to 100,000
 * @param maxRequests requests being answered or waiting, over all transports, 1 to 100,000; the next is refused
 */
@ConfigurationProperties("chatterbox")
public record FanOutProperties(
        @DefaultValue("10000") int maxCalls,
        @DefaultValue("5s") Duration callTimeout,
        @DefaultValue("1024") int concurrencyPerRequest,
        @DefaultValue("2048") int maxInFlight,
        @DefaultValue("1000") int maxRequests) {

    public FanOutProperties {
        requireInRange("max-calls", maxCalls, 1_000_000);
        requireInRange("concurrency-per-request", concurrencyPerRequest, 100_000);
        requireInRange("max-in-flight", maxInFlight, 100_000);
        requireInRange("max-requests", maxRequests, 100_000);
        if (callTimeout.compareTo(Duration.ofMillis(10)) < 0 || callTimeout.compareTo(Duration.ofMinutes(10)) > 0) {
            throw new IllegalArgumentException("chatterbox.call-timeout must be 10ms to 10m, but it is " + callTimeout);
        }
    }

    /** The same with a row's own bounds in place of those that it sets. */
    FanOutProperties of(Row row) {
        return new FanOutProperties(
                maxCalls,
                callTimeout,
                row.bounds().perRequest().orElse(concurrencyPerRequest),
                row.bounds().inFlight().orElse(maxInFlight),
                maxRequests);
    }

    private static void requireInRange(String name, int value, int most) {
        if (value < 1 || value > most) {
            throw new IllegalArgumentException(
                    "chatterbox.%s must be 1 to %d, but it is %d".formatted(name, most, value));
        }
    }
}
