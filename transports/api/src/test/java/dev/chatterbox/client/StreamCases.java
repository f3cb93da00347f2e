package dev.chatterbox.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.chatterbox.client.ScriptedPeer.ReceivedStream;
import dev.chatterbox.transport.CallMode;
import dev.chatterbox.transport.CallWork;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.test.StepVerifier;

/** The cases of streams, for variants that have them. */
public abstract class StreamCases extends BatchCases {

    private boolean hasStreams() {
        return TestVariants.find(variant()).modes().contains(CallMode.STREAM);
    }

    @Test
    void theRealResponderAnswersStreams() {
        assumeTrue(hasStreams());
        SquareStreamClient client = (SquareStreamClient) ready(clientOfTheRealResponder());
        for (int n : new int[] {1, 2, 100, 10_000}) {
            for (int payload : new int[] {0, 1000}) {
                if (SquareRequest.mostBytes(1, payload)
                        <= client.streamedMessageLimit().bytes()) {
                    streams(client, n, payload, CallWork.NONE);
                }
            }
        }
        holdsNothing(client);
    }

    private static void streams(SquareStreamClient client, int n, int payload, CallWork work) {
        SquareStream stream = client.stream(n);
        Flux<SquareReply> replies = Flux.range(1, n)
                .flatMap(number -> stream.square(new SquareRequest(false, number, 1, payload, work, LONG, null)), 256)
                .doOnNext(reply -> assertThat(reply.square(0)).isEqualTo((long) reply.number() * reply.number()));
        StepVerifier.create(replies.map(SquareReply::number).collect(Collectors.toSet()))
                .assertNext(numbers -> assertThat(numbers).hasSize(n))
                .expectComplete()
                .verify(PATIENCE);
    }

    /** Otherwise a stream of so many would take minutes. */
    @Test
    void theCallsOfAStreamWaitAtTheSameTime() {
        assumeTrue(hasStreams());
        SquareStreamClient client = (SquareStreamClient) ready(clientOfTheRealResponder());
        long start = System.nanoTime();
        streams(client, 1_000, 0, WORK);
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(SHORT);
        holdsNothing(client);
    }

    @Test
    void aStreamIsAnsweredInWhateverOrderAndItsInputsAreSentAsTheyAreAskedFor() {
        assumeTrue(hasStreams());
        ScriptedPeer peer = open(peer());
        SquareStreamClient client = (SquareStreamClient) ready(client());
        SquareStream stream = client.stream(3);
        holdsNothing(client);
        CompletableFuture<SquareReply> second = sent(stream, 2, LONG);
        ReceivedStream received = peer.nextStream();
        assertThat(received.next()).isEqualTo(2);
        CompletableFuture<SquareReply> first = sent(stream, 1, LONG);
        assertThat(received.next()).isEqualTo(1);
        received.output(1, 1);
        assertThat(first).succeedsWithin(PATIENCE);
        assertThat(second).isNotDone();
        CompletableFuture<SquareReply> third = sent(stream, 3, LONG);
        assertThat(received.next()).isEqualTo(3);
        received.output(3, 9);
        assertThat(third).succeedsWithin(PATIENCE);
        received.output(2, 4);
        received.end();
        assertThat(second).succeedsWithin(PATIENCE);
        holdsNothing(client);
    }

    private static CompletableFuture<SquareReply> sent(SquareStream stream, int number, Duration timeout) {
        return stream.square(TestRequests.of(number, timeout)).toFuture();
    }

    @ParameterizedTest
    @EnumSource
    void aStreamThatIsNotAnsweredRightIsAnError(BadStream bad) {
        assumeTrue(hasStreams());
        ScriptedPeer peer = open(peer());
        SquareStreamClient client = (SquareStreamClient) ready(client());
        SquareStream stream = client.stream(3);
        List<CompletableFuture<SquareReply>> calls = Stream.of(1, 2, 3)
                .map(number -> sent(stream, number, bad.outcome == Outcome.TIMEOUT ? SHORT : LONG))
                .toList();
        ReceivedStream received = peer.nextStream();
        Stream.of(1, 2, 3).forEach(number -> assertThat(received.next()).isEqualTo(number));

        bad.answer.accept(received);

        List<Throwable> errors = new ArrayList<>();
        for (CompletableFuture<SquareReply> call : calls) {
            try {
                call.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
            } catch (ExecutionException e) {
                errors.add(e.getCause());
            } catch (InterruptedException | TimeoutException e) {
                throw new AssertionError("an input has not ended", e);
            }
            if (bad.endsOneInput && !errors.isEmpty()) {
                break;
            }
        }
        assertThat(errors).isNotEmpty().allSatisfy(error -> {
            assertThat(Outcome.of(error)).isEqualTo(bad.outcome);
            assertThat(error).hasMessageContaining(bad.messagePart);
        });
        // The caller of a failed stream does the same.
        stream.dispose();
        calls.forEach(call -> call.cancel(true));
        holdsNothing(client);
        answersStill(client, peer);
        assertThat(peer.waiting()).isZero();
    }

    /** What is wrong with an answer to a stream of 1 to 3. */
    enum BadStream {
        A_WRONG_SQUARE(Outcome.WRONG, true, "a wrong reply to the request for 1", stream -> stream.output(1, 2)),
        A_NUMBER_THAT_WAS_NOT_ASKED_FOR(
                Outcome.WRONG, false, "which was not asked for", stream -> stream.output(4, 16)),
        NO_NUMBER(Outcome.WRONG, false, "which was not asked for", stream -> stream.output(0, 0)),
        DOUBLED(Outcome.WRONG, false, "for 1, again", stream -> {
            stream.output(1, 1);
            stream.output(1, 1);
        }),
        SURPLUS(Outcome.WRONG, false, "for 3, again", stream -> {
            right(stream);
            stream.output(3, 9);
        }),
        ENDS_EARLY(Outcome.WRONG, false, "ended after 1 of 3 outputs", stream -> {
            stream.output(1, 1);
            stream.end();
        }),
        ENDS_WITHOUT_AN_OUTPUT(Outcome.WRONG, false, "ended after 0 of 3 outputs", ReceivedStream::end),
        NEVER_ENDS(Outcome.TIMEOUT, false, "no reply to the request for 3 within 300 ms", BadStream::right),
        SILENT(Outcome.TIMEOUT, false, "within 300 ms", stream -> {}),
        AN_ERROR(Outcome.ERROR, false, "error reply", stream -> {
            stream.output(1, 1);
            stream.error("out of numbers");
        }),
        GARBAGE(Outcome.ERROR, false, "not a", ReceivedStream::garbage),
        BREAKS_OFF(Outcome.UNAVAILABLE, false, "no square service answers", stream -> {
            stream.output(1, 1);
            stream.breakOff();
        });

        private final Outcome outcome;

        /** Whether the answer ends only one input, and not all outstanding ones. */
        private final boolean endsOneInput;

        private final String messagePart;
        private final Consumer<ReceivedStream> answer;

        BadStream(Outcome outcome, boolean endsOneInput, String messagePart, Consumer<ReceivedStream> answer) {
            this.outcome = outcome;
            this.endsOneInput = endsOneInput;
            this.messagePart = messagePart;
            this.answer = answer;
        }

        private static void right(ReceivedStream stream) {
            stream.output(1, 1);
            stream.output(2, 4);
            stream.output(3, 9);
        }
    }

    @Test
    void anInputOfAStreamThatHasBrokenOffIsUnavailableAtOnce() {
        assumeTrue(hasStreams());
        ScriptedPeer peer = open(peer());
        SquareStreamClient client = (SquareStreamClient) ready(client());
        SquareStream stream = client.stream(3);
        CompletableFuture<SquareReply> first = sent(stream, 1, LONG);
        peer.nextStream().breakOff();
        assertThat(first).failsWithin(PATIENCE);
        isUnavailable(sent(stream, 2, LONG));
        stream.dispose();
        holdsNothing(client);
    }

    @Test
    void anInputOfAStreamHasADeadlineOfItsOwn() {
        assumeTrue(hasStreams());
        ScriptedPeer peer = open(peer());
        SquareStreamClient client = (SquareStreamClient) ready(client());
        SquareStream stream = client.stream(2);
        CompletableFuture<SquareReply> late = sent(stream, 1, SHORT);
        CompletableFuture<SquareReply> other = sent(stream, 2, LONG);
        ReceivedStream received = peer.nextStream();
        assertThat(received.next()).isEqualTo(1);
        assertThat(received.next()).isEqualTo(2);
        assertThat(late)
                .failsWithin(PATIENCE)
                .withThrowableThat()
                .satisfies(error -> assertThat(Outcome.of(error.getCause())).isEqualTo(Outcome.TIMEOUT));
        assertThat(other).isNotDone();

        double before = unmatched();
        received.output(1, 1);
        countsOneMore(before);
        received.output(2, 4);
        received.end();

        assertThat(other)
                .succeedsWithin(PATIENCE)
                .satisfies(reply -> assertThat(reply.square(0)).isEqualTo(4));
        holdsNothing(client);
    }

    @Test
    void aStreamThatEndsBeforeItsInputsAreSentIsAnErrorForThem() {
        assumeTrue(hasStreams());
        ScriptedPeer peer = open(peer());
        SquareStreamClient client = (SquareStreamClient) ready(client());
        SquareStream stream = client.stream(3);
        CompletableFuture<SquareReply> first = sent(stream, 1, LONG);
        CompletableFuture<SquareReply> second = sent(stream, 2, LONG);
        ReceivedStream received = peer.nextStream();
        assertThat(received.next()).isEqualTo(1);
        assertThat(received.next()).isEqualTo(2);

        received.output(1, 1);
        received.end();

        assertThat(first).succeedsWithin(PATIENCE);
        for (CompletableFuture<SquareReply> call : List.of(second, sent(stream, 3, LONG))) {
            assertThat(call)
                    .failsWithin(PATIENCE)
                    .withThrowableThat()
                    .satisfies(error -> assertThat(Outcome.of(error.getCause())).isEqualTo(Outcome.WRONG));
        }
        stream.dispose();
        holdsNothing(client);
        answersStill(client, peer);
    }

    @Test
    void aStreamToNobodyIsUnavailableAndSoIsOneThatIsOutstandingAtTheStop() {
        assumeTrue(hasStreams());
        SquareStreamClient lonely = (SquareStreamClient) started(clientOfNobody());
        isUnavailable(sent(lonely.stream(2), 1, LONG));
        ScriptedPeer peer = open(peer());
        SquareStreamClient client = (SquareStreamClient) ready(client());
        CompletableFuture<SquareReply> outstanding = sent(client.stream(2), 1, LONG);
        peer.nextStream();
        stop(client);
        isUnavailable(outstanding);
        isUnavailable(sent(client.stream(2), 1, LONG));
    }

    private static void isUnavailable(CompletableFuture<SquareReply> call) {
        assertThat(call)
                .failsWithin(AT_ONCE)
                .withThrowableThat()
                .satisfies(error -> assertThat(Outcome.of(error.getCause())).isEqualTo(Outcome.UNAVAILABLE));
    }

    @Test
    void aStreamThatIsGivenUpLeavesNothingBehindAndItsServiceIsTold() {
        assumeTrue(hasStreams());
        ScriptedPeer peer = open(peer());
        SquareStreamClient client = (SquareStreamClient) ready(client());
        client.stream(3).dispose();
        SquareStream stream = client.stream(3);
        Disposable first = stream.square(TestRequests.of(1, LONG)).subscribe();
        ReceivedStream received = peer.nextStream();
        assertThat(received.next()).isEqualTo(1);
        Disposable second = stream.square(TestRequests.of(2, LONG)).subscribe();
        assertThat(received.next()).isEqualTo(2);

        first.dispose();
        second.dispose();
        stream.dispose();

        holdsNothing(client);
        await().atMost(PATIENCE).until(received::hasGivenUp);
        answersStill(client, peer);
    }
}
