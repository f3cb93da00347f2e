package dev.chatterbox.aggregator.fanout;

import dev.chatterbox.aggregator.client.SquareClient;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.List;
import org.springframework.mock.env.MockEnvironment;

/** Transports without a Spring context, for tests of other packages. */
public final class TestTransports {

    private TestTransports() {}

    public static Transports of(SquareClient client, MeterRegistry meters) {
        return new Transports(
                List.of(client),
                new MockEnvironment(),
                new FanOutProperties(10_000, Duration.ofSeconds(5), 1_024, 2_048, 1_000),
                meters);
    }
}
