package dev.chatterbox.aggregator.fanout;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatterbox.client.TestVariants;
import dev.chatterbox.memory.MemorySquareClient;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Test;
import org.springframework.mock.env.MockEnvironment;

class TransportsTests {

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final Set<String> stopped = new ConcurrentSkipListSet<>();
    private final CountDownLatch never = new CountDownLatch(1);

    /** One client hangs as if its broker were frozen, and another one throws. */
    @Test
    void stopsTheOthersWhileOneHangsAndAnotherFails() {
        Transports transports = new Transports(
                Map.of(
                        "rest-python",
                        client("rest-python", this::hang),
                        "nats-jnats",
                        client("nats-jnats", this::fail),
                        "rest-stock",
                        client("rest-stock")),
                TestVariants.all(),
                new MockEnvironment(),
                new FanOutProperties(10_000, Duration.ofSeconds(5), 1_024, 2_048, 10_000, 100_000, 0.0625, 1_000),
                new SimpleMeterRegistry());
        transports.start();

        CompletableFuture<Void> stopping = CompletableFuture.runAsync(transports::stop);

        await().untilAsserted(() -> assertThat(stopped).containsExactly("nats-jnats", "rest-python", "rest-stock"));
        assertThat(stopping).succeedsWithin(PATIENCE);
        assertThat(Transports.STOP_TIMEOUT).as("down kills after 10 s").isLessThan(Duration.ofSeconds(8));
        assertThat(transports.isRunning()).isFalse();
    }

    private MemorySquareClient client(String name, Runnable... closing) {
        return new MemorySquareClient() {
            @Override
            public void stop() {
                stopped.add(name);
                for (Runnable close : closing) {
                    close.run();
                }
            }
        };
    }

    private void hang() {
        try {
            never.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void fail() {
        throw new IllegalStateException("no luck today");
    }

    /** As long as a busy machine takes. */
    private static ConditionFactory await() {
        return Awaitility.await().atMost(PATIENCE);
    }
}
