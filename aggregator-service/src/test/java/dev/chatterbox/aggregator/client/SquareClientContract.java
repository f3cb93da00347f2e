package dev.chatterbox.aggregator.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.chatterbox.aggregator.TestRows;
import dev.chatterbox.aggregator.client.ScriptedPeer.Received;
import dev.chatterbox.aggregator.client.ScriptedPeer.ReceivedStream;
import dev.chatterbox.brokers.RunningBroker;
import dev.chatterbox.connection.BrokerConnection;
import dev.chatterbox.connection.KeptConnection;
import dev.chatterbox.proto.Output;
import dev.chatterbox.rows.Row;
import dev.chatterbox.transport.Exchange;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.jqwik.api.sessions.JqwikSession;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.test.util.ReflectionTestUtils;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

/**
 * The contract of {@link SquareClient}, as tests. A client's own test supplies the set-up: the client, a peer on the
 * real broker, the real responder, and a place where nobody is.
 *
 * <p>Where a client declares a {@link Deviation}, the test of that point asserts what happens instead; so a
 * declaration that does not hold fails, as does a deviation that is not declared.
 */
public abstract class SquareClientContract {

    /** For what comes sooner or later: nothing is claimed of when, and a machine that is busy takes its time. */
    protected static final Duration PATIENCE = Duration.ofSeconds(30);

    /** A deadline that no call of a test reaches. */
    protected static final Duration LONG = Duration.ofSeconds(60);

    /** A broker that is gone is noticed so soon, and used again so soon after it is back. */
    protected static final Duration RECOVERY = Duration.ofSeconds(10);

    protected static final Duration AT_ONCE = Duration.ofSeconds(2);
    protected static final Duration SHORT = Duration.ofMillis(300);

    protected static final CallLimits LIMITS = new CallLimits(2_048, 2_048, 32 << 20, Duration.ofSeconds(5));

    protected final MeterRegistry meters = new SimpleMeterRegistry();
    private final List<AutoCloseable> opened = new ArrayList<>();
    private final List<SquareClient> running = new ArrayList<>();

    /** The name of the row whose client is tested. */
    protected abstract String row();

    /** A new client, not started, whose calls reach {@link #peer}. */
    protected abstract SquareClient client();

    /** A peer that is ready to receive. */
    protected abstract ScriptedPeer peer();

    /** Makes the real responder answer in the peer's place; it stays until the test class ends. */
    protected abstract SquareClient clientOfTheRealResponder();

    /** A new client, not started, of a broker or server that is not there. */
    protected abstract SquareClient clientOfNobody();

    /** A broker that a test may kill; null where there is none between the client and its responder. */
    protected @Nullable RunningBroker brokerOfItsOwn() {
        return null;
    }

    /** A new client, not started, of such a broker. */
    protected SquareClient clientOf(RunningBroker broker) {
        throw new UnsupportedOperationException();
    }

    /** The client that the row names, made as the aggregator makes it. */
    protected final SquareClient make(Row row, Object... beans) {
        return TestClients.make(
                row, Stream.concat(Stream.of(LIMITS, meters), Stream.of(beans)).toArray());
    }

    /** How many entries, tasks or connections in use the client holds for calls; its own count unless a test knows more. */
    protected int held(SquareClient client) {
        return (int) meters.get("chatterbox.calls.pending").gauges().stream()
                .mapToDouble(Gauge::value)
                .sum();
    }

    /** False where a reply travels on its request's own connection, so that none can come for nobody. */
    protected boolean repliesCanStray() {
        return true;
    }

    /** False where the library drops a reply that belongs to no call without a word. */
    protected boolean countsStrayReplies() {
        return repliesCanStray();
    }

    /** False where a reply is one message from a broker, which comes as a whole or not at all. */
    protected boolean repliesCanBreakOff() {
        return false;
    }

    @AfterEach
    void close() throws Exception {
        List.copyOf(running).forEach(this::stop);
        Collections.reverse(opened);
        for (AutoCloseable closeable : opened) {
            closeable.close();
        }
    }

    @Test
    void theRealResponderSquares() {
        SquareClient client = ready(clientOfTheRealResponder());
        for (int number : new int[] {1, 2, 46_341, Integer.MAX_VALUE}) {
            StepVerifier.create(client.square(new SquareRequest(number, LONG)))
                    .assertNext(reply -> {
                        assertThat(reply.number()).isEqualTo(number);
                        assertThat(reply.square()).isEqualTo((long) number * number);
                    })
                    .expectComplete()
                    .verify(PATIENCE);
        }
        StepVerifier.create(client.check()).expectComplete().verify(PATIENCE);
        holdsNothing(client);
    }

    /** As large as there are, or as the transport carries. */
    @Test
    void theRealResponderGivesPayloadsBack() {
        SquareClient client = ready(clientOfTheRealResponder());
        for (int payload : new int[] {1, 1000, 65_536, 131_072}) {
            SquareRequest request = new SquareRequest(46_341, payload, LONG);
            if (isCarried(client, request)) {
                isRight(client, request);
            }
        }
        holdsNothing(client);
    }

    @Test
    void theRealResponderSquaresBatches() {
        assumeTrue(hasBatches());
        SquareClient client = ready(clientOfTheRealResponder());
        for (int count : new int[] {1, 2, 7, 100, 1000, 10_000}) {
            for (int payload : new int[] {0, 64, 8192, 131_072}) {
                SquareRequest request = new SquareRequest(true, 101, count, payload, LONG);
                if (isCarried(client, request)) {
                    isRight(client, request);
                }
            }
        }
        holdsNothing(client);
    }

    /** Up to its limit on a message, and not so much that a test would take long. */
    private static boolean isCarried(SquareClient client, SquareRequest request) {
        long bytes = SquareRequest.mostBytes(request.count(), request.payload());
        return bytes <= client.messageLimit().bytes() && bytes < 5_000_000;
    }

    private static void isRight(SquareClient client, SquareRequest request) {
        StepVerifier.create(client.square(request))
                .assertNext(reply -> {
                    assertThat(reply.number()).isEqualTo(request.number());
                    assertThat(reply.count()).isEqualTo(request.count());
                    for (int i = 0; i < request.count(); i++) {
                        assertThat(reply.square(i)).isEqualTo((long) (request.number() + i) * (request.number() + i));
                    }
                })
                .expectComplete()
                .verify(PATIENCE);
    }

    @Test
    void aReplyWithoutThePayloadIsAnError() {
        failsWith(Outcome.WRONG, new SquareRequest(3, 8, LONG), request -> request.square(3, 9), "payload", "8");
    }

    private boolean hasBatches() {
        return TestRows.find(row()).exchanges().contains(Exchange.BATCH);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "ANOTHERS_PAYLOAD")
    void aBatchThatIsNotAnsweredRightIsAnError(BadBatch bad) {
        assumeTrue(hasBatches());
        failsWith(bad, 0);
    }

    @ParameterizedTest
    @EnumSource
    void aBatchWithPayloadsThatIsNotAnsweredRightIsAnError(BadBatch bad) {
        assumeTrue(hasBatches());
        failsWith(bad, 8);
    }

    private void failsWith(BadBatch bad, int payload) {
        failsWith(
                bad == BadBatch.GARBAGE || bad == BadBatch.ERROR ? Outcome.ERROR : Outcome.WRONG,
                new SquareRequest(true, 3, 4, payload, LONG),
                bad::answer,
                bad.words);
    }

    /** What is wrong with an answer to the numbers 3 to 6. */
    enum BadBatch {
        WRONG_SQUARE("a wrong reply to the request for 3 to 6") {
            @Override
            void change(List<Output> outputs) {
                outputs.set(2, outputs.get(2).toBuilder().setResult(10).build());
            }
        },
        MISSING("3 outputs") {
            @Override
            void change(List<Output> outputs) {
                outputs.remove(1);
            }
        },
        NONE_AT_ALL("0 outputs") {
            @Override
            void change(List<Output> outputs) {
                outputs.clear();
            }
        },
        SURPLUS("5 outputs") {
            @Override
            void change(List<Output> outputs) {
                outputs.add(
                        outputs.get(3).toBuilder().setNumber(7).setResult(49).build());
            }
        },
        DOUBLED("5 outputs") {
            @Override
            void change(List<Output> outputs) {
                outputs.add(outputs.get(3));
            }
        },
        DOUBLED_IN_PLACE_OF_ANOTHER("the square of") {
            @Override
            void change(List<Output> outputs) {
                outputs.set(0, outputs.get(1));
            }
        },
        OF_ANOTHER_NUMBER("the square of") {
            @Override
            void change(List<Output> outputs) {
                outputs.set(
                        3, outputs.get(3).toBuilder().setNumber(7).setResult(49).build());
            }
        },
        ANOTHERS_PAYLOAD("payload") {
            @Override
            void change(List<Output> outputs) {
                outputs.set(
                        3,
                        outputs.get(3).toBuilder()
                                .setPayload(outputs.get(2).getPayload())
                                .build());
            }
        },
        ERROR("error reply") {
            @Override
            void answer(Received request) {
                request.error("out of numbers");
            }
        },
        GARBAGE("not a") {
            @Override
            void answer(Received request) {
                request.garbage();
            }
        };

        private final String words;

        BadBatch(String words) {
            this.words = words;
        }

        void change(List<Output> outputs) {}

        void answer(Received request) {
            List<Output> outputs = new ArrayList<>(request.rightOutputs());
            change(outputs);
            request.outputs(outputs);
        }
    }

    @Test
    void aBatchThatNobodyAnswersTimesOutAndItsLateReplyIsHarmless() {
        assumeTrue(hasBatches());
        ScriptedPeer peer = open(peer());
        SquareClient client = ready(client());
        StepVerifier.create(client.square(new SquareRequest(true, 3, 4, 0, SHORT)))
                .expectErrorSatisfies(error -> {
                    assertThat(Outcome.of(error)).isEqualTo(Outcome.TIMEOUT);
                    assertThat(error).hasMessage("no reply to the request for 3 to 6 within 300 ms");
                })
                .verify(PATIENCE);
        double before = unmatched();
        Received late = peer.next();
        late.outputs(late.rightOutputs());
        countsOneMore(before);
        answersStill(client, peer);
        holdsNothing(client);
    }

    @Test
    void aCancelledBatchLeavesNothingBehind() {
        assumeTrue(hasBatches());
        ScriptedPeer peer = open(peer());
        SquareClient client = ready(client());
        Disposable call = client.square(new SquareRequest(true, 3, 4, 0, LONG)).subscribe();
        Received request = peer.next();
        call.dispose();
        holdsNothing(client);
        request.outputs(request.rightOutputs());
        answersStill(client, peer);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void aReplyToABatchThatBreaksOffIsUnavailable(int bytes) {
        assumeTrue(hasBatches() && repliesCanBreakOff());
        failsWith(
                Outcome.UNAVAILABLE,
                new SquareRequest(true, 3, 4, 0, LONG),
                request -> request.breakOff(bytes),
                "no square service answers");
    }

    private boolean hasStreams() {
        return TestRows.find(row()).exchanges().contains(Exchange.STREAM);
    }

    @Test
    void theRealResponderAnswersStreams() {
        assumeTrue(hasStreams());
        SquareStreamClient client = (SquareStreamClient) ready(clientOfTheRealResponder());
        for (int n : new int[] {1, 2, 100, 10_000}) {
            for (int payload : new int[] {0, 1000}) {
                if (SquareRequest.mostBytes(1, payload)
                        <= client.streamedMessageLimit().bytes()) {
                    streams(client, n, payload);
                }
            }
        }
        holdsNothing(client);
    }

    private static void streams(SquareStreamClient client, int n, int payload) {
        SquareStream stream = client.stream(n);
        Flux<SquareReply> replies = Flux.range(1, n)
                .flatMap(number -> stream.square(new SquareRequest(number, payload, LONG)), 256)
                .doOnNext(reply -> assertThat(reply.square()).isEqualTo((long) reply.number() * reply.number()));
        StepVerifier.create(replies.map(SquareReply::number).collect(Collectors.toSet()))
                .assertNext(numbers -> assertThat(numbers).hasSize(n))
                .expectComplete()
                .verify(PATIENCE);
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
        return stream.square(new SquareRequest(number, timeout)).toFuture();
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
            assertThat(error).hasMessageContaining(bad.words);
        });
        // As whoever asked does then.
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

        /** Not all that are outstanding. */
        private final boolean endsOneInput;

        private final String words;
        private final Consumer<ReceivedStream> answer;

        BadStream(Outcome outcome, boolean endsOneInput, String words, Consumer<ReceivedStream> answer) {
            this.outcome = outcome;
            this.endsOneInput = endsOneInput;
            this.words = words;
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
                .satisfies(reply -> assertThat(reply.square()).isEqualTo(4));
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
        Disposable first = stream.square(new SquareRequest(1, LONG)).subscribe();
        ReceivedStream received = peer.nextStream();
        assertThat(received.next()).isEqualTo(1);
        Disposable second = stream.square(new SquareRequest(2, LONG)).subscribe();
        assertThat(received.next()).isEqualTo(2);

        first.dispose();
        second.dispose();
        stream.dispose();

        holdsNothing(client);
        await().atMost(PATIENCE).until(received::hasGivenUp);
        answersStill(client, peer);
    }

    @Test
    void repliesOutOfOrderReachTheirOwnCallers() {
        ScriptedPeer peer = open(peer());
        SquareClient client = ready(client());
        List<CompletableFuture<SquareReply>> calls = Flux.range(1, 256)
                .map(number -> client.square(new SquareRequest(number, LONG)).toFuture())
                .collectList()
                .block();

        List<Received> requests = peer.next(256);
        Collections.shuffle(requests);
        requests.forEach(Received::right);

        for (int i = 0; i < 256; i++) {
            int number = i + 1;
            assertThat(calls.get(i)).succeedsWithin(PATIENCE).satisfies(reply -> {
                assertThat(reply.number()).isEqualTo(number);
                assertThat(reply.square()).isEqualTo((long) number * number);
            });
        }
        holdsNothing(client);
    }

    @Test
    void sendsNothingBeforeSubscriptionAndOnceForEach() {
        ScriptedPeer peer = open(peer());
        SquareClient client = ready(client());
        Mono<SquareReply> cold = client.square(new SquareRequest(7, LONG));
        holdsNothing(client);
        client.square(new SquareRequest(8, LONG)).subscribe(reply -> {}, error -> {});
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
        Duration took = StepVerifier.create(client.square(new SquareRequest(3, SHORT)))
                .expectErrorSatisfies(error -> {
                    assertThat(Outcome.of(error)).isEqualTo(Outcome.TIMEOUT);
                    assertThat(error).hasMessage("no reply to the request for 3 within 300 ms");
                })
                .verify(PATIENCE);
        assertThat(took).isBetween(SHORT, SHORT.plusSeconds(1));
        assertThat(peer.next().number()).isEqualTo(3);
        answersStill(client, peer);
        assertThat(peer.waiting()).as("requests that were sent again").isZero();
        holdsNothing(client);
    }

    @Test
    void isUnavailableAtOnceWhenNobodyIsThere() throws InterruptedException {
        SquareClient client = started(clientOfNobody());
        if (client.deviations().contains(Deviation.BLOCKS_THE_CALLER)) {
            assertThat(holdsItsCaller(client)).isTrue();
        } else {
            // The first call of a JVM loads the library's classes, which is not what is measured.
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
            assertThat(held(client)).isPositive();
        } else {
            holdsNothing(client);
        }
    }

    private static void isUnavailableAtOnce(SquareClient client) {
        Duration took = StepVerifier.create(client.square(new SquareRequest(3, LONG)))
                .expectErrorSatisfies(error -> assertThat(Outcome.of(error)).isEqualTo(Outcome.UNAVAILABLE))
                .verify(PATIENCE);
        assertThat(took).isLessThan(AT_ONCE);
    }

    private static boolean holdsItsCaller(SquareClient client) throws InterruptedException {
        Thread caller = new Thread(
                () -> client.square(new SquareRequest(3, SHORT)).subscribe(reply -> {}, error -> {}), "caller");
        caller.start();
        caller.join(AT_ONCE.toMillis());
        boolean held = caller.isAlive();
        caller.interrupt();
        caller.join(PATIENCE.toMillis());
        return held;
    }

    /** In one test, for a broker takes its time to start. */
    @Tag("long")
    @Test
    void isUnavailableWithoutItsBrokerAndComesBackWithIt() {
        RunningBroker broker = brokerOfItsOwn();
        assumeTrue(broker != null);
        open(broker);
        SquareClient client = ready(clientOf(broker));
        // The first call asks for more than a later one.
        client.square(new SquareRequest(3, SHORT)).onErrorComplete().block(PATIENCE);

        broker.kill();
        if (client.deviations().contains(Deviation.BLOCKS_THE_CALLER)) {
            await().atMost(RECOVERY).until(() -> holdsItsCaller(client));
        } else if (client.deviations().contains(Deviation.WAITS_FOR_THE_BROKER)) {
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
            await().atMost(PATIENCE).during(AT_ONCE).until(() -> !connected(early));
            isUnavailableAtOnce(early);
        } else {
            await().atMost(RECOVERY).until(() -> connected(early));
        }
        await().atMost(RECOVERY).until(() -> connected(client));
    }

    private static void endsWith(Outcome outcome, SquareClient client) {
        StepVerifier.create(client.square(new SquareRequest(3, SHORT)))
                .expectErrorSatisfies(error -> assertThat(Outcome.of(error)).isEqualTo(outcome))
                .verify(PATIENCE);
    }

    @Test
    void aCancelledCallLeavesNothingBehind() {
        ScriptedPeer peer = open(peer());
        SquareClient client = ready(client());
        Disposable call = client.square(new SquareRequest(3, LONG)).subscribe();
        Received request = peer.next();
        assertThat(held(client)).isEqualTo(1);
        call.dispose();
        if (client.deviations().contains(Deviation.KEEPS_CANCELLED_CALLS)) {
            await().atMost(PATIENCE).during(AT_ONCE).until(() -> held(client) == 1);
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
        StepVerifier.create(client.square(new SquareRequest(3, SHORT)))
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
                client.square(new SquareRequest(3, LONG)).toFuture();
        double before = unmatched();
        Received request = peer.next();
        request.right();
        request.square(3, 10);
        assertThat(call)
                .succeedsWithin(PATIENCE)
                .satisfies(reply -> assertThat(reply.square()).isEqualTo(9));
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
        failsWith(Outcome.UNAVAILABLE, request -> request.breakOff(0), "no square service answers");
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
        boolean byDefault = TestRows.all().byDefault().contains(TestRows.find(row()));
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
        if (!client.deviations().contains(Deviation.BLOCKS_THE_CALLER)) {
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
                        () -> client.square(new SquareRequest(3, LONG)).toFuture())
                .limit(10)
                .toList();
        peer.next(10);
        stop(client);
        if (client.deviations().contains(Deviation.IGNORES_THE_STOP)) {
            await().atMost(PATIENCE).during(AT_ONCE).until(() -> calls.stream().noneMatch(CompletableFuture::isDone));
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

    private static void isUnavailable(SquareClient client) {
        CompletableFuture<SquareReply> call = new CompletableFuture<>();
        assertThatCode(() -> client.square(new SquareRequest(3, LONG))
                        .subscribe(call::complete, call::completeExceptionally))
                .doesNotThrowAnyException();
        assertThat(call)
                .failsWithin(PATIENCE)
                .withThrowableThat()
                .satisfies(error -> assertThat(Outcome.of(error.getCause())).isEqualTo(Outcome.UNAVAILABLE));
    }

    /** Once, on a connection that is in use already: a library that retried would send the request again. */
    private void failsWith(Outcome outcome, Consumer<Received> answer, String... words) {
        failsWith(outcome, new SquareRequest(3, LONG), answer, words);
    }

    private void failsWith(Outcome outcome, SquareRequest request, Consumer<Received> answer, String... words) {
        ScriptedPeer peer = open(peer());
        SquareClient client = ready(client());
        answersStill(client, peer);
        CompletableFuture<SquareReply> call = client.square(request).toFuture();
        answer.accept(peer.next());
        assertThat(call).failsWithin(PATIENCE).withThrowableThat().satisfies(error -> {
            assertThat(Outcome.of(error.getCause())).isEqualTo(outcome);
            assertThat(error.getCause().getMessage()).contains(words);
        });
        if (outcome == Outcome.UNAVAILABLE && client.deviations().contains(Deviation.NOTICES_LATE)) {
            noticesLate(client, peer);
        }
        answersStill(client, peer);
        assertThat(peer.waiting()).as("requests that were sent again").isZero();
        holdsNothing(client);
    }

    /** A call that is made by the error of another, on the thread that it comes on, is before what the library does. */
    private void noticesLate(SquareClient client, ScriptedPeer peer) {
        answersInTheEnd(client, peer);
        CompletableFuture<SquareReply> next = new CompletableFuture<>();
        client.square(new SquareRequest(3, LONG))
                .subscribe(
                        reply -> {},
                        lost -> client.square(new SquareRequest(4, LONG))
                                .subscribe(next::complete, next::completeExceptionally));
        peer.next().breakOff(0);
        assertThat(next)
                .failsWithin(PATIENCE)
                .withThrowableThat()
                .satisfies(error -> assertThat(Outcome.of(error.getCause())).isEqualTo(Outcome.UNAVAILABLE));
        answersInTheEnd(client, peer);
    }

    private void answersInTheEnd(SquareClient client, ScriptedPeer peer) {
        await().atMost(PATIENCE).pollDelay(Duration.ZERO).ignoreExceptions().until(() -> {
            CompletableFuture<SquareReply> call =
                    client.square(new SquareRequest(5, LONG)).toFuture();
            await().atMost(PATIENCE).pollDelay(Duration.ZERO).until(() -> call.isDone() || peer.waiting() > 0);
            if (!call.isDone()) {
                peer.next().right();
            }
            return call.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS).square() == 25;
        });
    }

    private void answersStill(SquareClient client, ScriptedPeer peer) {
        CompletableFuture<SquareReply> call =
                client.square(new SquareRequest(5, LONG)).toFuture();
        Received request = peer.next();
        assertThat(request.number()).isEqualTo(5);
        request.right();
        assertThat(call)
                .succeedsWithin(PATIENCE)
                .satisfies(reply -> assertThat(reply.square()).isEqualTo(25));
    }

    private void countsOneMore(double before) {
        if (countsStrayReplies()) {
            await().atMost(PATIENCE).untilAsserted(() -> assertThat(unmatched()).isEqualTo(before + 1));
        }
    }

    private void holdsNothing(SquareClient client) {
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(held(client)).isZero());
    }

    private double unmatched() {
        return countsStrayReplies()
                ? meters.get("chatterbox.replies.unmatched")
                        .tag("transport", row())
                        .counter()
                        .count()
                : 0;
    }

    protected final <T extends AutoCloseable> T open(T closeable) {
        opened.add(closeable);
        return closeable;
    }

    private SquareClient started(SquareClient client) {
        client.start();
        running.add(client);
        return client;
    }

    private void stop(SquareClient client) {
        running.remove(client);
        client.stop();
    }

    /** Started, and connected to where its calls go. */
    protected final SquareClient ready(SquareClient client) {
        started(client);
        await().atMost(Duration.ofSeconds(30)).pollDelay(Duration.ZERO).until(() -> connected(client));
        return client;
    }

    /** Whether calls can be made; the peer may not answer a check as a responder does. */
    protected boolean connected(SquareClient client) {
        KeptConnection<?> connection = (KeptConnection<?>) ReflectionTestUtils.getField(client, "connection");
        BrokerConnection open = Objects.requireNonNull(connection).current();
        return open != null && open.problem() == null;
    }
}
