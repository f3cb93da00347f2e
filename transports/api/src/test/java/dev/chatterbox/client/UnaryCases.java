package dev.chatterbox.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.chatterbox.brokers.RunningBroker;
import dev.chatterbox.client.ScriptedPeer.Received;
import dev.chatterbox.transport.CallWork;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import net.jqwik.api.sessions.JqwikSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

/** The cases of calls of one number, and of the client as a whole. */
public abstract class UnaryCases extends ClientKit {

    @Test
    void theRealResponderSquares() {
        SquareClient client = ready(clientOfTheRealResponder());
        for (int number : new int[] {1, 2, 46_341, Integer.MAX_VALUE}) {
            StepVerifier.create(client.square(TestRequests.of(number, LONG)))
                    .assertNext(reply -> {
                        assertThat(reply.number()).isEqualTo(number);
                        assertThat(reply.square(0)).isEqualTo((long) number * number);
                    })
                    .expectComplete()
                    .verify(PATIENCE);
        }
        StepVerifier.create(client.check()).expectComplete().verify(PATIENCE);
        holdsNothing(client);
    }

    /** Payloads up to the largest, as far as the transport carries them. */
    @Test
    void theRealResponderGivesPayloadsBack() {
        SquareClient client = ready(clientOfTheRealResponder());
        for (int payload : new int[] {1, 1000, 65_536, 131_072}) {
            SquareRequest request = TestRequests.of(46_341, payload, LONG);
            if (isCarried(client, request)) {
                isRight(client, request);
            }
        }
        holdsNothing(client);
    }

    @Test
    void theRealResponderBurnsAndWaitsAsACallAsks() {
        SquareClient client = ready(clientOfTheRealResponder());
        for (int payload : new int[] {0, 8}) {
            isWorked(client, new SquareRequest(false, 46_341, 1, payload, WORK, LONG, null));
        }
        holdsNothing(client);
    }

    @Test
    void aCallThatWaitsLongerThanItsDeadlineTimesOut() {
        SquareClient client = ready(clientOfTheRealResponder());
        isRight(client, TestRequests.of(3, LONG));
        StepVerifier.create(client.square(new SquareRequest(false, 3, 1, 0, CallWork.of(0, 1_000_000), SHORT, null)))
                .expectErrorSatisfies(error -> assertThat(Outcome.of(error)).isEqualTo(Outcome.TIMEOUT))
                .verify(PATIENCE);
        holdsNothing(client);
    }

    @Test
    void aReplyWithoutThePayloadIsAnError() {
        failsWith(Outcome.WRONG, TestRequests.of(3, 8, LONG), request -> request.square(3, 9), "payload", "8");
    }

    @Test
    void repliesOutOfOrderReachTheirOwnCallers() {
        ScriptedPeer peer = open(peer());
        SquareClient client = ready(client());
        List<CompletableFuture<SquareReply>> calls = Flux.range(1, 256)
                .map(number -> client.square(TestRequests.of(number, LONG)).toFuture())
                .collectList()
                .block();

        List<Received> requests = peer.next(256);
        Collections.shuffle(requests);
        requests.forEach(Received::right);

        for (int i = 0; i < 256; i++) {
            int number = i + 1;
            assertThat(calls.get(i)).succeedsWithin(PATIENCE).satisfies(reply -> {
                assertThat(reply.number()).isEqualTo(number);
                assertThat(reply.square(0)).isEqualTo((long) number * number);
            });
        }
        holdsNothing(client);
    }

    @Test
    void sendsNothingBeforeSubscriptionAndOnceForEach() {
        ScriptedPeer peer = open(peer());
        SquareClient client = ready(client());
        Mono<SquareReply> cold = client.square(TestRequests.of(7, LONG));
        holdsNothing(client);
        client.square(TestRequests.of(8, LONG)).subscribe(reply -> {}, error -> {});
        assertThat(peer.next().number()).isEqualTo(8);

        cold.subscribe(reply -> {}, error -> {});
        cold.subscribe(reply -> {}, error -> {});
        assertThat(peer.next(2)).allMatch(request -> request.number() == 7);
        assertThat(peer.waiting()).isZero();
    }

    @Test
    void timesOutWhenNobodyAnswers() {
        ScriptedPeer peer = open(peer());
        SquareClient client = ready(client());
        Duration took = StepVerifier.create(client.square(TestRequests.of(3, SHORT)))
                .expectErrorSatisfies(error -> {
                    assertThat(Outcome.of(error)).isEqualTo(Outcome.TIMEOUT);
                    assertThat(error).hasMessage("no reply to the request for 3 within 300 ms");
                })
                .verify(PATIENCE);
        assertThat(took).isBetween(SHORT, AT_ONCE);
        assertThat(peer.next().number()).isEqualTo(3);
        answersStill(client, peer);
        assertThat(peer.waiting()).as("requests that were sent again").isZero();
        holdsNothing(client);
    }

    @Test
    void isUnavailableAtOnceWhenNobodyIsThere() {
        SquareClient client = started(clientOfNobody());
        if (waitsForABrokerThatNeverWas()) {
            // Its library starts on a thread of its own, and refuses calls until then.
            await().atMost(RECOVERY).untilAsserted(() -> endsWith(Outcome.TIMEOUT, client));
            isTimedOutTogether(client);
        } else {
            // The first call in a JVM loads the library's classes, which must not be measured.
            isUnavailable(client);
            isUnavailableAtOnce(client);
        }
        StepVerifier.create(client.check())
                .expectErrorSatisfies(error -> {
                    assertThat(Outcome.of(error)).isEqualTo(Outcome.UNAVAILABLE);
                    assertThat(error.getMessage()).isNotBlank();
                })
                .verify(PATIENCE);
        if (client.deviations().contains(Deviation.KEEPS_UNSENT_CALLS)) {
            assertThat(holds(client)).isPositive();
        } else {
            holdsNothing(client);
        }
    }

    private static void isUnavailableAtOnce(SquareClient client) {
        Duration took = StepVerifier.create(client.square(TestRequests.of(3, LONG)))
                .expectErrorSatisfies(error -> assertThat(Outcome.of(error)).isEqualTo(Outcome.UNAVAILABLE))
                .verify(PATIENCE);
        assertThat(took).isLessThan(AT_ONCE);
    }

    /** Also a library that blocks keeps the deadlines of calls that are made at the same time, and their caller free. */
    private static void isTimedOutTogether(SquareClient client) {
        long start = System.nanoTime();
        List<CompletableFuture<SquareReply>> calls = Stream.generate(
                        () -> client.square(TestRequests.of(3, A_WHILE)).toFuture())
                .limit(10)
                .toList();
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(A_WHILE);
        calls.forEach(call -> assertThat(call)
                .failsWithin(AT_ONCE)
                .withThrowableThat()
                .satisfies(error -> assertThat(Outcome.of(error.getCause())).isEqualTo(Outcome.TIMEOUT)));
    }

    /** All in one test, because a broker takes its time to start. */
    @Tag("long")
    @Test
    void isUnavailableWithoutItsBrokerAndComesBackWithIt() {
        RunningBroker broker = brokerOfItsOwn();
        assumeTrue(broker != null);
        open(broker);
        SquareClient client = ready(clientOf(broker));
        // The first call asks for more than a later one.
        client.square(TestRequests.of(3, SHORT)).onErrorComplete().block(PATIENCE);

        broker.kill();
        if (client.deviations().contains(Deviation.WAITS_FOR_THE_BROKER)) {
            await().atMost(RECOVERY).untilAsserted(() -> endsWith(Outcome.TIMEOUT, client));
            endsWith(Outcome.TIMEOUT, client);
        } else {
            await().atMost(RECOVERY).untilAsserted(() -> endsWith(Outcome.UNAVAILABLE, client));
            isUnavailableAtOnce(client);
        }
        assertThat(client.check()
                        .thenReturn(true)
                        .timeout(AT_ONCE)
                        .onErrorReturn(false)
                        .block())
                .as("is shown as up")
                .isEqualTo(client.deviations().contains(Deviation.SHOWS_NO_OUTAGE));

        SquareClient early = started(clientOf(broker));
        broker.restart();
        if (client.deviations().contains(Deviation.CONNECTS_ONCE)) {
            await().atMost(PATIENCE).during(A_WHILE).until(() -> !connected(early));
            isUnavailableAtOnce(early);
        } else {
            await().atMost(RECOVERY).until(() -> connected(early));
        }
        await().atMost(RECOVERY).until(() -> connected(client));
    }

    private static void endsWith(Outcome outcome, SquareClient client) {
        StepVerifier.create(client.square(TestRequests.of(3, SHORT)))
                .expectErrorSatisfies(error -> assertThat(Outcome.of(error)).isEqualTo(outcome))
                .verify(PATIENCE);
    }

    @Test
    void aCancelledCallLeavesNothingBehind() {
        ScriptedPeer peer = open(peer());
        SquareClient client = ready(client());
        Disposable call = client.square(TestRequests.of(3, LONG)).subscribe();
        Received request = peer.next();
        assertThat(holds(client)).isEqualTo(1);
        call.dispose();
        if (client.deviations().contains(Deviation.KEEPS_CANCELLED_CALLS)) {
            await().atMost(PATIENCE).during(A_WHILE).until(() -> holds(client) == 1);
        } else {
            holdsNothing(client);
        }

        request.right();
        answersStill(client, peer);
    }

    @Test
    void aLateReplyIsCountedAndHarmless() {
        ScriptedPeer peer = open(peer());
        SquareClient client = ready(client());
        StepVerifier.create(client.square(TestRequests.of(3, SHORT)))
                .expectError(CallException.class)
                .verify(PATIENCE);
        double before = unmatched();
        peer.next().right();
        countsOneMore(before);
        answersStill(client, peer);
    }

    @Test
    void aSecondReplyIsCountedAndHarmless() {
        assumeTrue(repliesCanStray());
        ScriptedPeer peer = open(peer());
        SquareClient client = ready(client());
        CompletableFuture<SquareReply> call =
                client.square(TestRequests.of(3, LONG)).toFuture();
        double before = unmatched();
        Received request = peer.next();
        request.right();
        request.square(3, 10);
        assertThat(call)
                .succeedsWithin(PATIENCE)
                .satisfies(reply -> assertThat(reply.square(0)).isEqualTo(9));
        countsOneMore(before);
        answersStill(client, peer);
    }

    @Test
    void aReplyForNobodyIsCountedAndHarmless() {
        assumeTrue(repliesCanStray());
        ScriptedPeer peer = open(peer());
        SquareClient client = ready(client());
        answersStill(client, peer);
        double before = unmatched();
        peer.replyForNobody();
        countsOneMore(before);
        answersStill(client, peer);
    }

    @Test
    void aWrongSquareIsAnError() {
        failsWith(Outcome.WRONG, request -> request.square(request.number(), 10), "3", "10");
    }

    @Test
    void theSquareOfAnotherNumberIsAnError() {
        failsWith(Outcome.WRONG, request -> request.square(4, 16), "3", "16");
    }

    @Test
    void anErrorReplyIsAnErrorWithItsReason() {
        failsWith(Outcome.ERROR, request -> request.error("out of numbers"), "error reply");
    }

    @Test
    void aMalformedReplyIsAnError() {
        failsWith(Outcome.ERROR, Received::garbage, "not a");
    }

    @Test
    void aReplyThatNeverBeginsIsUnavailable() {
        assumeTrue(repliesCanBreakOff());
        SquareRequest request = TestRequests.of(3, LONG);
        failsWith(Outcome.UNAVAILABLE, request, true, received -> received.breakOff(0), "no square service answers");
    }

    @Test
    void aReplyThatBreaksOffIsUnavailable() {
        assumeTrue(repliesCanBreakOff());
        failsWith(Outcome.UNAVAILABLE, request -> request.breakOff(1), "no square service answers");
    }

    @Tag("long")
    @Test
    void whateverRepliesComeEachCallEndsWithWhatIsRightOrWithAnError() {
        ScriptedPeer peer = open(peer());
        SquareClient client = ready(client());
        boolean byDefault = TestVariants.all().byDefault().contains(TestVariants.find(variant()));
        JqwikSession.run(() -> new MutatedReplies(client, peer, hasBatches(), repliesCanStray(), countsStrayReplies())
                .answer(byDefault ? 100_000 : 3_000));
        answersStill(client, peer);
        holdsNothing(client);
    }

    @Test
    void neverThrows() {
        SquareClient client = clientOfNobody();
        isUnavailable(client);
        started(client);
        if (!waitsForABrokerThatNeverWas()) {
            isUnavailable(client);
        }
        stop(client);
        isUnavailable(client);
    }

    @Test
    void callsThatAreOutstandingAtTheStopAreUnavailableAndSoIsEveryLaterCall() {
        ScriptedPeer peer = open(peer());
        SquareClient client = ready(client());
        answersStill(client, peer);
        List<CompletableFuture<SquareReply>> calls = Stream.generate(
                        () -> client.square(TestRequests.of(3, LONG)).toFuture())
                .limit(10)
                .toList();
        peer.next(10);
        stop(client);
        if (client.deviations().contains(Deviation.IGNORES_THE_STOP)) {
            await().atMost(PATIENCE).during(A_WHILE).until(() -> calls.stream().noneMatch(CompletableFuture::isDone));
            isUnavailable(client);
            return;
        }
        calls.forEach(call -> assertThat(call)
                .failsWithin(AT_ONCE)
                .withThrowableThat()
                .satisfies(error -> {
                    assertThat(Outcome.of(error.getCause())).isEqualTo(Outcome.UNAVAILABLE);
                    assertThat(error.getCause()).hasMessage("the aggregator is stopping");
                }));
        isUnavailable(client);
        assertThat(peer.waiting()).isZero();
        holdsNothing(client);
    }
}
