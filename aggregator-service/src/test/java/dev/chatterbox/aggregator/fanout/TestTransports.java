package dev.chatterbox.aggregator.fanout;

import dev.chatterbox.client.SquareClient;
import dev.chatterbox.client.TestVariants;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.Map;
import org.springframework.core.env.Environment;
import org.springframework.mock.env.MockEnvironment;

/** Transports without a Spring context, with the single variant {@code scripted}. */
public final class TestTransports {

    private TestTransports() {}

    public static Transports of(SquareClient client, MeterRegistry meters) {
        return of(
                client,
                new FanOutProperties(10_000, Duration.ofSeconds(5), 1_024, 2_048, 10_000, 100_000, 0.0625, 1_000),
                new MockEnvironment(),
                meters);
    }

    /** Each call is sent on the thread that starts a request or ends a call, so that tests need not wait for it. */
    static Transports of(
            SquareClient client, FanOutProperties properties, Environment environment, MeterRegistry meters) {
        return new Transports(
                Map.of("scripted", client),
                TestVariants.all(),
                environment,
                properties,
                meters,
                variant -> Runnable::run);
    }
}
