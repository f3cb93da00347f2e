package dev.chatterbox.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

class StockCallsTests {

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final StockCalls calls =
            new StockCalls(error -> new CallException(Outcome.UNAVAILABLE, String.valueOf(error.getMessage())));

    /** Sending the call over a stopped library would fail, hundreds of times at once. */
    @Test
    void aCallThatWaitsForItsThreadIsNotSentAfterTheStop() {
        Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();
        AtomicInteger sent = new AtomicInteger();
        CompletableFuture<SquareReply> call = calls.timedOn(
                        Schedulers.fromExecutor(waiting::add),
                        TestRequests.of(3, PATIENCE),
                        () -> Mono.fromRunnable(sent::incrementAndGet))
                .toFuture();

        calls.stop();
        waiting.forEach(Runnable::run);

        assertThat(call).failsWithin(PATIENCE).withThrowableThat().withMessageContaining("the aggregator is stopping");
        assertThat(sent).hasValue(0);
    }

    @Test
    void aDeadlineThatEndsACallAfterTheStopMeansTheStop() {
        CompletableFuture<SquareReply> call = calls.timed(TestRequests.of(3, Duration.ofMillis(100)), Mono::never)
                .toFuture();

        calls.stop();

        assertThat(call).failsWithin(PATIENCE).withThrowableThat().withMessageContaining("the aggregator is stopping");
    }
}
