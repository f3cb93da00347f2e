package dev.chatterbox.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

/** What the contract kit cannot see from outside; {@link SquareClientContract} tests the rest on real brokers. */
class PendingCallsTests {

    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final Duration LONG = Duration.ofSeconds(30);

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final PendingCalls pending = PendingCalls.start("test", 8, meters);
    private final List<Long> sent = new ArrayList<>();
    private final PendingCalls.Sender sender = (id, request) -> sent.add(id);

    @AfterEach
    void close() {
        pending.close();
    }

    @Test
    void aLateReplyNeverEndsTheCallThatHasItsSlotNow() {
        Disposable first = call(1).subscribe();
        first.dispose();
        // The ids go once round the table, so that the next call gets the slot of the first one.
        for (int i = 1; i < 16; i++) {
            call(1).subscribe().dispose();
        }
        CompletableFuture<SquareReply> second = call(2).toFuture();
        assertThat(sent.get(16) % 16).isEqualTo(sent.get(0) % 16);

        reply(sent.get(0), 1, 1);
        assertThat(second).isNotDone();
        assertThat(unmatched()).isEqualTo(1);
        reply(sent.get(16), 2, 4);
        assertThat(second).succeedsWithin(PATIENCE);
    }

    @Test
    void aRequestThatCannotBeSentEndsItsCallAndIsNoStrayReply() {
        CompletableFuture<SquareReply> unsent = call(1).toFuture();
        call(1).subscribe().dispose();

        pending.fail(sent.get(0), new CallException(Outcome.UNAVAILABLE, "gone"));
        pending.fail(sent.get(1), new CallException(Outcome.UNAVAILABLE, "gone"));

        assertThat(unsent).failsWithin(PATIENCE);
        assertThat(unmatched()).isZero();
    }

    @Test
    void refusesMoreThanTheTableHolds() {
        for (int i = 0; i < 16; i++) {
            call(1).subscribe(reply -> {}, error -> {});
        }
        StepVerifier.create(call(1))
                .expectErrorSatisfies(error -> assertThat(Outcome.of(error)).isEqualTo(Outcome.UNAVAILABLE))
                .verify(PATIENCE);
        assertThat(pending.size()).isEqualTo(16);
    }

    @Test
    void whatACallHoldsIsDisposedOfUnlessItsReplyOrErrorCame() {
        List<Disposable> resources = new ArrayList<>();
        PendingCalls.Sender holding = (id, request) -> {
            sent.add(id);
            resources.add(Disposables.single());
            pending.disposeWithCall(id, resources.get(resources.size() - 1));
        };
        SquareRequest request = TestRequests.of(1, LONG);
        CompletableFuture<SquareReply> replied = pending.call(request, holding).toFuture();
        reply(sent.get(0), 1, 1);
        CompletableFuture<SquareReply> failed = pending.call(request, holding).toFuture();
        pending.fail(sent.get(1), new CallException(Outcome.ERROR, "an error"));
        pending.call(request, holding).subscribe().dispose();
        CompletableFuture<SquareReply> late =
                pending.call(TestRequests.of(1, Duration.ofMillis(1)), holding).toFuture();
        assertThat(late).failsWithin(PATIENCE);
        CompletableFuture<SquareReply> stopped = pending.call(request, holding).toFuture();
        pending.close();

        assertThat(replied).isCompleted();
        assertThat(failed).isCompletedExceptionally();
        assertThat(stopped).isCompletedExceptionally();
        assertThat(resources).extracting(Disposable::isDisposed).containsExactly(false, false, true, true, true);
    }

    @Test
    void whatACallHoldsIsDisposedOfAtOnceWhereItHasEnded() {
        call(1).subscribe().dispose();
        Disposable resource = Disposables.single();
        pending.disposeWithCall(sent.get(0), resource);
        assertThat(resource.isDisposed()).isTrue();
    }

    @Test
    void aSlotThatStaysTakenIsPassedOver() {
        CompletableFuture<SquareReply> slow = call(3).toFuture();
        for (int i = 0; i < 100; i++) {
            CompletableFuture<SquareReply> call = call(1).toFuture();
            reply(sent.get(sent.size() - 1), 1, 1);
            assertThat(call).isCompleted();
        }
        assertThat(slow).isNotDone();
        reply(sent.get(0), 3, 9);
        assertThat(slow).isCompleted();
    }

    @Test
    void whatTheSenderThrowsIsTheCallsError() {
        StepVerifier.create(pending.call(TestRequests.of(1, LONG), (id, request) -> {
                    throw new CallException(Outcome.UNAVAILABLE, "away");
                }))
                .expectErrorMessage("away")
                .verify(PATIENCE);
        assertThat(pending.size()).isZero();
    }

    @Test
    void sendsWhenAReplyIsAskedForAndNotBefore() {
        StepVerifier.create(call(1), 0)
                .expectSubscription()
                .then(() -> assertThat(sent).isEmpty())
                .thenRequest(1)
                .then(() -> assertThat(sent).hasSize(1))
                .thenCancel()
                .verify(PATIENCE);
        assertThat(pending.size()).isZero();
    }

    @Test
    void allThatIsOutstandingFailsAtTheEnd() {
        CompletableFuture<SquareReply> call = call(1).toFuture();
        pending.close();
        assertThat(call).failsWithin(PATIENCE).withThrowableThat().withMessageContaining("stopping");
    }

    @Test
    void aCallAfterTheEndFailsAtOnceAndIsNotSent() {
        pending.close();
        CompletableFuture<SquareReply> call = call(1).toFuture();
        assertThat(call).isCompletedExceptionally();
        assertThat(sent).isEmpty();
        assertThat(pending.size()).isZero();
    }

    @Test
    void noCallThatEntersDuringTheEndIsLeft() throws Exception {
        ExecutorService callers = Executors.newSingleThreadExecutor();
        for (int round = 0; round < 500; round++) {
            PendingCalls closing = PendingCalls.start("round-" + round, 512, meters);
            List<CompletableFuture<SquareReply>> calls = new ArrayList<>();
            CountDownLatch calling = new CountDownLatch(1);
            Future<?> caller = callers.submit(() -> {
                for (int i = 0; i < 200; i++) {
                    calls.add(closing.call(TestRequests.of(1, LONG), (id, request) -> calling.countDown())
                            .toFuture());
                }
            });
            assertThat(calling.await(60, TimeUnit.SECONDS)).isTrue();
            closing.close();
            caller.get(60, TimeUnit.SECONDS);
            assertThat(calls).allSatisfy(call -> assertThat(call).isCompletedExceptionally());
            assertThat(closing.size()).isZero();
        }
        callers.shutdown();
    }

    @Test
    void endsAtItsOwnDeadline() {
        CompletableFuture<SquareReply> brief =
                pending.call(TestRequests.of(1, Duration.ofMillis(50)), sender).toFuture();
        CompletableFuture<SquareReply> longer = call(2).toFuture();
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(brief).isCompletedExceptionally());
        assertThat(longer).isNotDone();
        assertThat(pending.size()).isEqualTo(1);
    }

    private Mono<SquareReply> call(int number) {
        return pending.call(TestRequests.of(number, LONG), sender);
    }

    private void reply(long id, int number, long square) {
        pending.reply(id, square, (request, answer) -> request.reply(number, answer));
    }

    private double unmatched() {
        return meters.get("chatterbox.replies.unmatched").counter().count();
    }
}
