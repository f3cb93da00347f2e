package dev.chatterbox.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatterbox.client.Outcome;
import dev.chatterbox.client.SquareRequest;
import dev.chatterbox.transport.CallWork;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import reactor.core.scheduler.NonBlocking;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;

class MemorySquareClientTests {

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final MemorySquareClient client = new MemorySquareClient();

    private static SquareRequest request(boolean batch, int count, CallWork work, Duration timeout) {
        return new SquareRequest(batch, 3, count, 0, work, timeout, null);
    }

    @Test
    void theCallsOfABatchBurnOneAfterTheOtherOnAThreadThatMayBeHeld() {
        AtomicReference<@Nullable Thread> burning = new AtomicReference<>();
        Schedulers.onScheduleHook("burning", task -> () -> {
            burning.compareAndSet(null, Thread.currentThread());
            task.run();
        });
        try {
            Duration took = StepVerifier.create(client.square(request(true, 4, new CallWork(5_000, 0), PATIENCE)))
                    .expectNextCount(1)
                    .expectComplete()
                    .verify(PATIENCE);
            assertThat(took).isGreaterThanOrEqualTo(Duration.ofMillis(20));
            assertThat(burning.get()).isNotNull().isNotInstanceOf(NonBlocking.class);
        } finally {
            Schedulers.resetOnScheduleHook("burning");
        }
    }

    @Test
    void theCallsOfABatchWaitAtTheSameTime() {
        Duration took = StepVerifier.create(client.square(request(true, 100, new CallWork(1, 1_000_000), PATIENCE)))
                .assertNext(reply -> assertThat(reply.square(99)).isEqualTo(102 * 102))
                .expectComplete()
                .verify(PATIENCE);
        assertThat(took).isGreaterThanOrEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void aCallThatWaitsLongerThanItsDeadlineTimesOut() {
        StepVerifier.create(client.square(request(false, 1, new CallWork(0, 1_000_000), Duration.ofMillis(10))))
                .expectErrorSatisfies(error -> assertThat(Outcome.of(error)).isEqualTo(Outcome.TIMEOUT))
                .verify(PATIENCE);
    }
}
