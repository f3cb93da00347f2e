package dev.chatterbox.aggregator.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.chatterbox.aggregator.client.CallException;
import dev.chatterbox.aggregator.client.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class KafkaWatchTests {

    @Test
    void triesAgainAfterAnExceptionThatNobodyExpected() {
        AtomicInteger tries = new AtomicInteger();
        KafkaWatch watch = new KafkaWatch(
                "localhost:9092",
                new KafkaAddress(List.of("requests"), "replies", "group"),
                () -> {
                    tries.incrementAndGet();
                    throw new IllegalStateException("out of order");
                },
                topics -> {},
                error -> {});
        try (watch) {
            watch.start();
            await().atMost(Duration.ofSeconds(10)).until(() -> tries.get() >= 2);
            assertThat(watch.up()).isFalse();
            assertThatThrownBy(watch::requireUp).isInstanceOfSatisfying(CallException.class, error -> {
                assertThat(error.outcome()).isEqualTo(Outcome.UNAVAILABLE);
                assertThat(error).hasMessageContainingAll("the Kafka client failed", "out of order");
            });
        }
    }
}
