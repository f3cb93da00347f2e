package dev.chatterbox.aggregator.fanout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import com.sun.management.ThreadMXBean;
import dev.chatterbox.aggregator.trace.RequestTrace;
import dev.chatterbox.client.CallException;
import dev.chatterbox.client.MessageLimit;
import dev.chatterbox.client.Outcome;
import dev.chatterbox.client.ScriptedClient;
import dev.chatterbox.client.ScriptedClient.Call;
import dev.chatterbox.client.SquareClient;
import dev.chatterbox.client.SquareReply;
import dev.chatterbox.client.SquareRequest;
import dev.chatterbox.client.TestRequests;
import dev.chatterbox.client.TestVariants;
import dev.chatterbox.memory.MemorySquareClient;
import dev.chatterbox.variants.VariantException;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.mock.env.MockEnvironment;
import reactor.core.Disposable;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.core.publisher.Sinks;
import reactor.test.StepVerifier;

class FanOutTests {

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final MeterRegistry meters = new SimpleMeterRegistry();
    private final ScriptedClient client = new ScriptedClient();

    @Test
    void collectsTheSquaresInOrderOfTheirNumbers() {
        Transport transport = transport(client, 10, 10, 1);
        CompletableFuture<long[]> squares =
                transport.squares(TestWork.unary(4, 0), () -> null).toFuture();
        List<Call> calls = sent(4);
        Collections.reverse(calls);
        calls.forEach(Call::right);
        assertThat(squares).succeedsWithin(PATIENCE).isEqualTo(new long[] {1, 4, 9, 16});
        assertThat(transport.inFlight()).isZero();
        assertThat(counted("chatterbox.calls", Outcome.OK)).isEqualTo(4);
        assertThat(counted("chatterbox.requests", Outcome.OK)).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({"1,1", "7,1", "7,2", "7,7", "7,100", "1000,10000", "1001,100"})
    void asksForBatchesOfSizeAndOneOfTheRest(int n, int size) {
        Transport transport = transport(client, 10_000, 10_000, 1);
        CompletableFuture<long[]> squares =
                transport.squares(TestWork.batch(n, size, 0), () -> null).toFuture();
        List<Call> calls = sent((n + size - 1) / size);
        for (int i = 0; i < calls.size(); i++) {
            SquareRequest request = calls.get(i).request();
            assertThat(request.batch()).isTrue();
            assertThat(request.number()).isEqualTo(i * size + 1);
            assertThat(request.count()).isEqualTo(Math.min(size, n - i * size));
        }
        Collections.shuffle(calls);
        calls.forEach(Call::right);
        assertThat(squares)
                .succeedsWithin(PATIENCE)
                .isEqualTo(LongStream.rangeClosed(1, n).map(k -> k * k).toArray());
        assertThat(counted("chatterbox.calls", Outcome.OK)).isEqualTo(calls.size());
        assertThat(inputs(Outcome.OK)).isEqualTo(n);
        assertThat(transport.inFlight()).isZero();
    }

    @Test
    void whatWaitedForItsTurnWhileNobodyAnsweredHasSoMuchLessTime() {
        Transport transport = transport(client, 1, 1, 2);
        Duration all = properties(1, 1, 2).callTimeout();
        CompletableFuture<long[]> silent =
                transport.squares(TestWork.unary(1, 0), () -> null).toFuture();
        CompletableFuture<long[]> next =
                transport.squares(TestWork.unary(2, 0), () -> null).toFuture();
        Duration waited = all.dividedBy(5);
        await().atMost(PATIENCE).during(waited).until(() -> transport.waiting() == 1);

        Call unanswered = client.calls.remove();
        assertThat(unanswered.request().timeout()).isEqualTo(all);
        unanswered.fail(Outcome.TIMEOUT);
        assertThat(silent).isCompletedExceptionally();

        Call late = client.calls.remove();
        assertThat(late.request().timeout()).isPositive().isLessThanOrEqualTo(all.minus(waited));
        late.right();
        Call afterAReply = client.calls.remove();
        assertThat(afterAReply.request().timeout()).isEqualTo(all);
        afterAReply.right();
        assertThat(next).succeedsWithin(PATIENCE).isEqualTo(new long[] {1, 4});
    }

    /** Whoever gets the place of a call may send for milliseconds, and an answer must not wait for that. */
    @Test
    void answersBeforeItSendsTheCallsOfOthers() {
        List<String> order = Collections.synchronizedList(new ArrayList<>());
        ScriptedClient noting = new ScriptedClient() {
            @Override
            public Mono<SquareReply> square(SquareRequest request) {
                order.add("sent");
                return super.square(request);
            }
        };
        Transport transport = transport(noting, 1, 1, 2);
        transport.squares(TestWork.unary(1, 0), () -> null).subscribe(squares -> order.add("answered"));
        Disposable waiting = transport.squares(TestWork.unary(1, 0), () -> null).subscribe();
        noting.calls.remove().right();

        assertThat(order).containsExactly("sent", "answered", "sent");
        waiting.dispose();
    }

    @Test
    void countsTheInputsOfABatchThatFailsAndOfThoseThatAreCancelledForIt() {
        Transport transport = transport(client, 2, 2, 1);
        CompletableFuture<long[]> squares =
                transport.squares(TestWork.batch(70, 20, 0), () -> null).toFuture();
        client.calls.remove().fail(Outcome.WRONG);
        assertThat(squares).isCompletedExceptionally();
        assertThat(inputs(Outcome.WRONG)).isEqualTo(20);
        assertThat(inputs(Outcome.CANCELLED)).isEqualTo(20);
        assertThat(transport.inFlight()).isZero();
    }

    @Test
    void sendsTheInputsOfAStreamAsPlacesAreFree() {
        Transport transport = transport(client, 3, 100, 1);
        CompletableFuture<long[]> squares =
                transport.squares(TestWork.stream(7, 0), () -> null).toFuture();
        for (int answered = 0; answered < 7; answered++) {
            assertThat(transport.inFlight())
                    .isEqualTo(Math.min(3, 7 - answered))
                    .isEqualTo(client.calls.size());
            client.calls.remove().right();
        }
        assertThat(squares).succeedsWithin(PATIENCE).isEqualTo(new long[] {1, 4, 9, 16, 25, 36, 49});
        assertThat(inputs(Outcome.OK)).isEqualTo(7);
        assertThat(client.disposed).hasValue(0);
    }

    @Test
    void givesAStreamUpThatFailsOrWhoseRequesterGoesAwayAlsoWhereNothingIsOutstanding() {
        Transport transport = transport(client, 1, 1, 2);
        CompletableFuture<long[]> failing =
                transport.squares(TestWork.stream(2, 0), () -> null).toFuture();
        Disposable waiting =
                transport.squares(TestWork.stream(2, 0), () -> null).subscribe();
        client.calls.remove().fail(Outcome.WRONG);
        assertThat(failing).isCompletedExceptionally();
        assertThat(client.disposed).hasValue(1);
        waiting.dispose();
        assertThat(client.disposed).hasValue(2);
        assertThat(transport.inFlight()).isZero();
        assertThat(transport.waiting()).isZero();
        client.calls.clear();
        assertRoomFor(transport, 2);
    }

    @Test
    void opensNoMoreStreamsThanTheClientHasPlacesForWhateverTheirInputs() {
        ScriptedClient two = new ScriptedClient() {
            @Override
            public int maxInFlight() {
                return 2;
            }
        };
        Transport transport = transport(two, 5, 100, 10);
        List<CompletableFuture<long[]>> requests = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            requests.add(transport.squares(TestWork.stream(4, 0), () -> null).toFuture());
        }
        Disposable gone = transport.squares(TestWork.stream(4, 0), () -> null).subscribe();
        gone.dispose();
        while (!two.calls.isEmpty()) {
            assertThat(two.calls.size()).isLessThanOrEqualTo(2 * 4);
            two.calls.remove().right();
        }
        assertThat(requests).allSatisfy(request -> assertThat(request).isCompleted());
        assertThat(transport.inFlight()).isZero();
        assertThat(transport.waiting()).isZero();
    }

    /** Sending may take milliseconds, which are no part of the request that has ended. */
    @Test
    void answersAStreamBeforeItSendsTheNextOne() {
        ScriptedClient one = new ScriptedClient() {
            @Override
            public int maxInFlight() {
                return 1;
            }
        };
        Transport transport = transport(one, 5, 100, 10);
        AtomicInteger sent = new AtomicInteger(-1);
        transport.squares(TestWork.stream(1, 0), () -> null).subscribe(squares -> sent.set(one.calls.size()));
        CompletableFuture<long[]> next =
                transport.squares(TestWork.stream(3, 0), () -> null).toFuture();
        one.calls.remove().right();
        assertThat(sent).hasValue(0);
        assertThat(one.calls).hasSize(3);
        while (!one.calls.isEmpty()) {
            one.calls.remove().right();
        }
        assertThat(next).isCompleted();
    }

    @Test
    void aStreamThatIsOpenIsOneOfTheMessagesThatTheClientCanHaveUnderWay() {
        ScriptedClient two = new ScriptedClient() {
            @Override
            public int maxInFlight() {
                return 2;
            }
        };
        Transport transport = transport(two, 5, 100, 10);
        CompletableFuture<long[]> stream =
                transport.squares(TestWork.stream(4, 0), () -> null).toFuture();
        List<CompletableFuture<long[]>> calls = List.of(
                transport.squares(TestWork.unary(1, 0), () -> null).toFuture(),
                transport.squares(TestWork.unary(1, 0), () -> null).toFuture());
        assertThat(two.calls).as("four inputs and one call").hasSize(5);
        assertThat(transport.inFlight()).isEqualTo(5);
        assertThat(transport.waiting()).isEqualTo(1);
        for (int i = 0; i < 4; i++) {
            two.calls.remove().right();
        }
        assertThat(stream).isCompleted();
        assertThat(two.calls).hasSize(2);
        two.calls.remove().right();
        two.calls.remove().right();
        assertThat(calls).allSatisfy(call -> assertThat(call).isCompleted());
        assertThat(transport.inFlight()).isZero();
    }

    @Test
    void streamsAndOtherCallsShareTheBoundsOnInputsAndTakeTurns() {
        Transport transport = bounded(100, 100, 0.5);
        CompletableFuture<long[]> batches =
                transport.squares(TestWork.batch(1000, 50, 0), () -> null).toFuture();
        CompletableFuture<long[]> stream =
                transport.squares(TestWork.stream(20, 0), () -> null).toFuture();
        assertThat(client.calls).as("two batches").hasSize(2);
        client.calls.remove().right();
        assertThat(client.calls.stream().map(call -> call.request().batch()))
                .as("the other batch, and an input of the stream, whose turn it is; then the next batch has no room")
                .containsExactly(true, false);
        while (!client.calls.isEmpty()) {
            int inputs = client.calls.stream()
                    .mapToInt(call -> call.request().count())
                    .sum();
            assertThat(inputs).isLessThanOrEqualTo(100);
            client.calls.remove().right();
        }
        assertThat(stream).isCompleted();
        assertThat(batches).isCompleted();
        assertThat(transport.inFlight()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"32, 1000", "1000, 32"})
    void fillsABoundThatWasReachedAgainWhenAnEighthOfItIsFree(int perRequest, int inAll) {
        Transport transport = transport(client, perRequest, inAll, 1);
        CompletableFuture<long[]> squares =
                transport.squares(TestWork.unary(100, 0), () -> null).toFuture();
        for (int left = 31; left > 28; left--) {
            client.calls.remove().right();
            assertThat(transport.inFlight()).isEqualTo(left);
        }
        client.calls.remove().right();
        assertThat(transport.inFlight()).isEqualTo(32);
        while (!client.calls.isEmpty()) {
            client.calls.remove().right();
        }
        assertThat(squares).isCompleted();
    }

    private double inputs(Outcome outcome) {
        return meters.get("chatterbox.inputs")
                .tag("outcome", outcome.tag())
                .counter()
                .count();
    }

    @Test
    void keepsToTheBoundsOnInputsOfARequestAndInAll() {
        Transport transport = bounded(100, 250, 0.5);
        CompletableFuture<long[]> one =
                transport.squares(TestWork.batch(1000, 40, 0), () -> null).toFuture();
        assertThat(transport.inFlight()).isEqualTo(2);
        CompletableFuture<long[]> other =
                transport.squares(TestWork.batch(1000, 60, 0), () -> null).toFuture();
        CompletableFuture<long[]> third =
                transport.squares(TestWork.batch(1000, 100, 0), () -> null).toFuture();
        // 80 of the first, 60 of the second, 100 of the third.
        assertThat(transport.inFlight()).isEqualTo(4);
        while (!client.calls.isEmpty()) {
            int inputs = client.calls.stream()
                    .mapToInt(call -> call.request().count())
                    .sum();
            assertThat(inputs).isLessThanOrEqualTo(250);
            client.calls.remove().right();
        }
        for (CompletableFuture<long[]> request : List.of(one, other, third)) {
            assertThat(request).isCompleted();
        }
        assertThat(transport.inFlight()).isZero();
    }

    /** There is always room for the messages behind it, so that they could overtake it for ever. */
    @Test
    void aLargeMessageThatWaitsIsNotOvertakenForEver() {
        Transport transport = bounded(100, 100, 0.5);
        CompletableFuture<long[]> small =
                transport.squares(TestWork.batch(1000, 10, 0), () -> null).toFuture();
        CompletableFuture<long[]> large =
                transport.squares(TestWork.batch(90, 90, 0), () -> null).toFuture();
        for (int i = 0; i < 10 && !large.isDone(); i++) {
            Call call = client.calls.remove();
            call.right();
        }
        assertThat(client.calls).anyMatch(call -> call.request().count() == 90);
        client.calls.stream()
                .filter(call -> call.request().count() == 90)
                .findFirst()
                .orElseThrow()
                .right();
        assertThat(large).isCompleted();
        assertThat(small).isNotDone();
    }

    @Test
    void whoWaitedBehindALargeMessageThatIsGivenUpHasItsRoom() {
        Transport transport = bounded(100, 100, 0.5);
        transport.squares(TestWork.batch(90, 90, 0), () -> null).subscribe();
        Disposable large =
                transport.squares(TestWork.batch(60, 60, 0), () -> null).subscribe();
        transport.squares(TestWork.unary(1, 0), () -> null).subscribe();
        assertThat(transport.inFlight()).isEqualTo(1);
        large.dispose();
        assertThat(transport.inFlight()).isEqualTo(2);
        assertThat(transport.waiting()).isZero();
    }

    @Test
    void keepsToTheBoundsOnBytes() {
        double share = 0.001;
        long bytes = (long) (share * Runtime.getRuntime().maxMemory());
        Transport transport = bounded(10_000, 100_000, share);
        int payload = (int) Math.min(SquareRequest.MOST_PAYLOAD, bytes / 7);
        transport.squares(TestWork.unary(10_000, payload), () -> null).subscribe();
        assertThat(transport.inFlight()).isEqualTo((int) Math.min(50, bytes / 2 / payload));
        transport.squares(TestWork.unary(10_000, payload), () -> null).subscribe();
        transport.squares(TestWork.unary(10_000, payload), () -> null).subscribe();
        assertThat(transport.inFlight()).isEqualTo((int) Math.min(50, bytes / payload));
        assertThat(client.calls)
                .allSatisfy(call -> assertThat(call.request().payload()).isEqualTo(payload));
    }

    @Test
    void refusesAMessageThatAloneIsMoreThanMayBeInFlight() {
        Transport transport = bounded(100, 100, 0.001);
        assertThat(transport.refusal(TestWork.batch(1000, 100, 0))).isNull();
        assertThat(transport.refusal(TestWork.batch(50, 10_000, 0))).isNull();
        assertThat(transport.refusal(TestWork.batch(1000, 101, 0)))
                .contains("101 inputs", "100 inputs (chatterbox.inputs-per-request)");
        assertThat(transport.refusal(TestWork.batch(100, 100, 131_072)))
                .contains("bounds.bytes-in-flight", "chatterbox.payload-heap-share");
    }

    @Test
    void refusesAMessageThatIsLargerThanTheTransportCarriesAndNamesTheLimit() {
        SquareClient small = new ScriptedClient() {
            @Override
            public MessageLimit messageLimit() {
                return new MessageLimit(10_000, "max_words");
            }
        };
        Transport transport = transport(small, 10, 10, 1);
        assertThat(transport.refusal(TestWork.unary(5, 9_900))).isNull();
        assertThat(transport.refusal(TestWork.batch(9, 9, 1_000))).isNull();
        assertThat(transport.refusal(TestWork.unary(5, 10_000)))
                .isEqualTo(
                        "A message of 1 inputs with a payload of 10000 bytes each may take 10024 bytes, but scripted "
                                + "carries 10000 at the most (max_words)");
        assertThat(transport.refusal(TestWork.batch(100, 10, 1_000))).contains("10240 bytes");
    }

    private Transport bounded(int inputsPerRequest, int inputsInAll, double heapShare) {
        FanOutProperties properties = new FanOutProperties(
                10_000, Duration.ofSeconds(5), 50, 50, inputsPerRequest, inputsInAll, heapShare, 10);
        return Objects.requireNonNull(TestTransports.of(client, properties, new MockEnvironment(), meters)
                .find("scripted"));
    }

    @Test
    void keepsToTheBoundOfARequest() {
        Transport transport = transport(client, 3, 100, 1);
        CompletableFuture<long[]> squares =
                transport.squares(TestWork.unary(10, 0), () -> null).toFuture();
        for (int answered = 0; answered < 10; answered++) {
            assertThat(transport.inFlight())
                    .isEqualTo(Math.min(3, 10 - answered))
                    .isEqualTo(client.calls.size());
            client.calls.remove().right();
        }
        assertThat(squares).succeedsWithin(PATIENCE);
    }

    @Test
    void aVariantWithStreamsWhoseClientHasNoneIsAnError() {
        assertThatThrownBy(() -> variantWith("unary,stream", new MemorySquareClient()))
                .isInstanceOf(VariantException.class)
                .hasMessage("variants/scripted.properties: its client has no call mode stream");
    }

    private void variantWith(String modes, SquareClient client) {
        new Transports(
                Map.of("scripted", client),
                TestVariants.with("scripted", Map.of("modes", modes)),
                new MockEnvironment(),
                properties(1, 1, 1),
                meters);
    }

    @Test
    void keepsToTheBoundOfTheTransport() {
        Transport transport = transport(client, 10, 4, 3);
        List<CompletableFuture<long[]>> requests = List.of(
                transport.squares(TestWork.unary(5, 0), () -> null).toFuture(),
                transport.squares(TestWork.unary(5, 0), () -> null).toFuture(),
                transport.squares(TestWork.unary(5, 0), () -> null).toFuture());
        for (int answered = 0; answered < 15; answered++) {
            assertThat(transport.inFlight())
                    .isEqualTo(Math.min(4, 15 - answered))
                    .isEqualTo(client.calls.size());
            client.calls.remove().right();
        }
        requests.forEach(request -> assertThat(request).succeedsWithin(PATIENCE));
        assertThat(transport.inFlight()).isZero();
        assertThat(transport.waiting()).isZero();
    }

    @Test
    void requestsThatWaitTakeTurns() {
        Transport transport = transport(client, 10, 1, 3);
        transport.squares(TestWork.unary(100, 0), () -> null).subscribe(squares -> {}, error -> {});
        CompletableFuture<long[]> small =
                transport.squares(TestWork.unary(2, 0), () -> null).toFuture();
        CompletableFuture<long[]> other =
                transport.squares(TestWork.unary(2, 0), () -> null).toFuture();
        List<Integer> numbers = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            Call call = client.calls.remove();
            numbers.add(call.request().number());
            call.right();
        }
        // The first was in the queue again before the others came.
        assertThat(numbers).containsExactly(1, 2, 1, 1, 3, 2);
        client.calls.remove().right();
        assertThat(small).isCompleted();
        assertThat(other).isCompleted();
    }

    @Test
    void theFirstFailureCancelsWhatIsOutstandingAndSendsNoMore() {
        Transport transport = transport(client, 3, 10, 1);
        CompletableFuture<long[]> squares =
                transport.squares(TestWork.unary(100, 0), () -> null).toFuture();
        List<Call> calls = sent(3);
        calls.get(0).right();
        calls.addAll(sent(1));
        calls.get(2).fail(Outcome.TIMEOUT);
        assertThat(squares).failsWithin(PATIENCE).withThrowableThat().withMessageContaining("scripted timeout");
        assertThat(client.calls).isEmpty();
        assertThat(client.cancelled).hasValue(2);
        assertThat(transport.inFlight()).isZero();
        assertThat(counted("chatterbox.calls", Outcome.TIMEOUT)).isEqualTo(1);
        assertThat(counted("chatterbox.calls", Outcome.CANCELLED)).isEqualTo(2);
        assertThat(counted("chatterbox.requests", Outcome.TIMEOUT)).isEqualTo(1);
        assertRoomFor(transport, 1);
    }

    @Test
    void whoGoesAwayLeavesNothingBehind() {
        Transport transport = transport(client, 3, 4, 2);
        Disposable request =
                transport.squares(TestWork.unary(100, 0), () -> null).subscribe();
        Disposable waiting =
                transport.squares(TestWork.unary(100, 0), () -> null).subscribe();
        assertThat(transport.inFlight()).isEqualTo(4);
        request.dispose();
        waiting.dispose();
        assertThat(transport.inFlight()).isZero();
        assertThat(transport.waiting()).isZero();
        assertThat(counted("chatterbox.requests", Outcome.CANCELLED)).isEqualTo(2);
        client.calls.clear();
        assertRoomFor(transport, 2);
    }

    @Test
    void whoGoesAwayBeforeItsFirstCallGivesItsPermitBackOnce() {
        Transport transport = transport(client, 3, 4, 2);
        transport.admit();
        FanOut cancelledFirst = new FanOut(transport, TestWork.unary(1, 0), null, reply -> {}, () -> {}, error -> {});
        cancelledFirst.cancel();
        assertRoomFor(transport, 2);
        cancelledFirst.start();
        assertRoomFor(transport, 2);
        assertThat(client.calls).isEmpty();
        assertThat(transport.waiting()).isZero();
        assertThat(counted("chatterbox.requests", Outcome.CANCELLED)).isEqualTo(1);
    }

    @Test
    void whoGoesAwayAfterBeingRefusedGivesNoPermitBack() {
        Transport transport = transport(client, 3, 4, 1);
        transport.squares(TestWork.unary(1, 0), () -> null).subscribe();
        transport
                .squares(TestWork.unary(1, 0), () -> null)
                .onErrorComplete()
                .subscribe()
                .dispose();
        assertRoomFor(transport, 0);
        client.calls.remove().right();
        assertRoomFor(transport, 1);
    }

    /** An array of n elements, allocated too early, would cost 120 KB for each refused request. */
    @Test
    void aRequestThatIsRefusedAllocatesNothingByItsSize() {
        Transport transport = transport(client, 3, 4, 1);
        transport.squares(TestWork.unary(1, 0), () -> null).subscribe();
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        int refusals = 100;
        for (int warmUp = 0; warmUp < refusals; warmUp++) {
            refuse(transport);
        }
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < refusals; i++) {
            refuse(transport);
        }
        assertThat((threads.getCurrentThreadAllocatedBytes() - before) / refusals)
                .isLessThan(10_000);
    }

    private static void refuse(Transport transport) {
        transport
                .squares(TestWork.unary(10_000, 0), () -> null)
                .onErrorComplete()
                .subscribe();
        transport
                .replies(TestWork.unary(10_000, 0), () -> null, () -> {})
                .onErrorComplete()
                .subscribe();
    }

    /** Reactor would log each error with a stack trace: hundreds of them when a transport stops. */
    @Test
    void whatGoesWrongWithACallAfterItsEndIsNotLogged() {
        List<Throwable> dropped = new CopyOnWriteArrayList<>();
        Hooks.onErrorDropped(dropped::add);
        try {
            Transport transport = transport(client, 2, 2, 1);
            transport
                    .squares(TestWork.unary(2, 0), () -> null)
                    .onErrorComplete()
                    .subscribe();
            List<Call> calls = List.of(client.calls.remove(), client.calls.remove());
            calls.forEach(call -> call.fail(Outcome.UNAVAILABLE));
        } finally {
            Hooks.resetOnErrorDropped();
        }
        assertThat(dropped).isEmpty();
        assertThat(counted("chatterbox.requests", Outcome.UNAVAILABLE)).isEqualTo(1);
    }

    @Test
    void refusesMoreRequestsThanAreAdmitted() {
        Transport transport = transport(client, 10, 10, 2);
        transport.squares(TestWork.unary(1, 0), () -> null).subscribe();
        transport.squares(TestWork.unary(1, 0), () -> null).subscribe();
        StepVerifier.create(transport.squares(TestWork.unary(1, 0), () -> null))
                .expectErrorSatisfies(error -> {
                    assertThat(Outcome.of(error)).isEqualTo(Outcome.UNAVAILABLE);
                    assertThat(error).hasMessage("2 requests are being answered already (chatterbox.max-requests)");
                })
                .verify(PATIENCE);
        assertThat(meters.get("chatterbox.requests")
                        .tag("outcome", Outcome.UNAVAILABLE.tag())
                        .timer()
                        .count())
                .isEqualTo(1);
        assertThat(transport.meters.requestDurations.count()).isZero();
        client.calls.remove().right();
        assertRoomFor(transport, 1);
    }

    @Test
    void makesNoTraceOfARequestThatIsRefused() {
        Transport transport = transport(client, 10, 10, 1);
        transport.squares(TestWork.unary(1, 0), () -> null).subscribe();
        AtomicInteger traces = new AtomicInteger();
        Supplier<@Nullable RequestTrace> traced = () -> {
            traces.incrementAndGet();
            return null;
        };

        transport.squares(TestWork.unary(1, 0), traced).onErrorComplete().subscribe();
        transport
                .replies(TestWork.unary(1, 0), traced, () -> {})
                .onErrorComplete()
                .subscribe();
        assertThat(traces).hasValue(0);

        client.calls.remove().right();
        transport.squares(TestWork.unary(1, 0), traced).subscribe();
        assertThat(traces).hasValue(1);
    }

    @Test
    void aDisabledTransportIsUnavailable() {
        MockEnvironment environment =
                new MockEnvironment().withProperty("chatterbox.disabled.scripted", "there is no broker");
        Transport transport = Objects.requireNonNull(TestTransports.of(client, properties(1, 1, 1), environment, meters)
                .find("scripted"));
        StepVerifier.create(transport.squares(TestWork.unary(1, 0), () -> null))
                .expectErrorMessage("the transport scripted is disabled: there is no broker")
                .verify(PATIENCE);
        StepVerifier.create(transport.state())
                .assertNext(status ->
                        assertThat(status.state()).isEqualTo(new Transport.State("disabled", "there is no broker")))
                .expectComplete()
                .verify(PATIENCE);
        assertThat(client.calls).isEmpty();
    }

    /** A check may hold a thread for seconds, and many viewers ask at once. */
    @Test
    void whoAsksDuringACheckGetsItsAnswer() {
        AtomicInteger checks = new AtomicInteger();
        Sinks.Empty<Void> answer = Sinks.empty();
        ScriptedClient slow = new ScriptedClient() {
            @Override
            public Mono<Void> check() {
                checks.incrementAndGet();
                return answer.asMono();
            }
        };
        Transport transport = transport(slow, 1, 1, 1);
        List<Transport.Status> states = new ArrayList<>();
        transport.state().subscribe(states::add);
        transport.state().subscribe(states::add);
        answer.tryEmitEmpty();
        assertThat(states).hasSize(2);
        assertThat(checks).hasValue(1);
    }

    @Test
    void streamsInOrderOfCompletionAndEndsWithTheFirstFailure() {
        Transport transport = transport(client, 10, 10, 1);
        StepVerifier.create(transport
                        .replies(TestWork.unary(3, 0), () -> null, () -> {})
                        .map(reply -> reply.square(0)))
                .then(() -> {
                    List<Call> calls = sent(3);
                    calls.get(2).right();
                    calls.get(0).right();
                    calls.get(1).fail(Outcome.WRONG);
                })
                .expectNext(9L, 1L)
                .expectErrorSatisfies(error -> assertThat(Outcome.of(error)).isEqualTo(Outcome.WRONG))
                .verify(PATIENCE);
        assertThat(transport.inFlight()).isZero();
    }

    @Test
    void callsThatEndAtOnceNestNoDeeperThanTheStack() {
        MemorySquareClient memory = new MemorySquareClient();
        SquareClient atOnce = new ScriptedClient() {
            @Override
            public Mono<SquareReply> square(SquareRequest request) {
                return memory.square(request);
            }
        };
        Transport transport = transport(atOnce, 5, 5, 1);
        StepVerifier.create(transport.squares(TestWork.unary(100_000, 0), () -> null))
                .assertNext(squares -> assertThat(squares[99_999]).isEqualTo(10_000_000_000L))
                .expectComplete()
                .verify(PATIENCE);
    }

    @Test
    void aThousandWaitingRequestsThatFailAtOnceNestNoDeeperThanTheStack() {
        AtomicInteger sent = new AtomicInteger();
        List<CompletableFuture<?>> requests = new ArrayList<>();
        ScriptedClient firstWaits = new ScriptedClient() {
            @Override
            public Mono<SquareReply> square(SquareRequest request) {
                return sent.getAndIncrement() == 0
                        ? super.square(request)
                        : Mono.error(new CallException(Outcome.UNAVAILABLE, "away"));
            }
        };
        Transport transport = transport(firstWaits, 1, 1, 20_001);
        for (int i = 0; i < 20_001; i++) {
            requests.add(transport.squares(TestWork.unary(2, 0), () -> null).toFuture());
        }
        firstWaits.calls.remove().right();
        assertThat(requests).allSatisfy(request -> assertThat(request).isCompletedExceptionally());
        assertThat(transport.inFlight()).isZero();
    }

    enum Fault {
        THROWS,
        ENDS_WITHOUT_A_REPLY,
        ANSWERS_ANOTHER_CALL
    }

    @ParameterizedTest
    @EnumSource
    void aClientThatBreaksItsContractFailsTheRequestAndLeavesNothingInFlight(Fault fault) {
        ScriptedClient broken = new ScriptedClient() {
            @Override
            public Mono<SquareReply> square(SquareRequest request) {
                return switch (fault) {
                    case THROWS -> throw new IllegalStateException("broken");
                    case ENDS_WITHOUT_A_REPLY -> Mono.empty();
                    case ANSWERS_ANOTHER_CALL ->
                        Mono.just(TestRequests.of(7, request.timeout()).reply(7, 49));
                };
            }
        };
        Transport transport = transport(broken, 10, 10, 1);
        StepVerifier.create(transport.squares(TestWork.unary(3, 0), () -> null))
                .expectErrorSatisfies(error -> assertThat(Outcome.of(error)).isIn(Outcome.ERROR, Outcome.WRONG))
                .verify(PATIENCE);
        assertThat(transport.inFlight()).isZero();
    }

    @Test
    void aSecondReplyToACallIsIgnored() {
        SquareClient twice = new ScriptedClient() {
            @Override
            public Mono<SquareReply> square(SquareRequest request) {
                return Mono.from(subscriber -> {
                    subscriber.onSubscribe(Operators.emptySubscription());
                    SquareReply reply = request.reply(request.number(), (long) request.number() * request.number());
                    subscriber.onNext(reply);
                    subscriber.onNext(reply);
                    subscriber.onComplete();
                });
            }
        };
        Transport transport = transport(twice, 2, 2, 1);
        StepVerifier.create(transport.squares(TestWork.unary(3, 0), () -> null))
                .assertNext(squares -> assertThat(squares).containsExactly(1, 4, 9))
                .expectComplete()
                .verify(PATIENCE);
        assertThat(transport.inFlight()).isZero();
    }

    /** Replies come from several threads, in random order, while requests of all kinds come and are cancelled. */
    @Test
    void keepsItsCountsUnderConcurrency() throws Exception {
        ExecutorService repliers = Executors.newFixedThreadPool(4);
        AtomicInteger inFlight = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        ScriptedClient concurrent = new ScriptedClient() {
            @Override
            public Mono<SquareReply> square(SquareRequest request) {
                return Mono.create(sink -> {
                    most.accumulateAndGet(inFlight.incrementAndGet(), Math::max);
                    AtomicBoolean ended = new AtomicBoolean();
                    Runnable end = () -> {
                        if (ended.compareAndSet(false, true)) {
                            inFlight.decrementAndGet();
                        }
                    };
                    sink.onCancel(end::run);
                    repliers.execute(() -> {
                        end.run();
                        new Call(request, sink).right();
                    });
                });
            }
        };
        Transport transport = transport(concurrent, 16, 64, 200);
        List<CompletableFuture<long[]>> requests = new ArrayList<>();
        List<Work> kinds = List.of(
                TestWork.unary(500, 0), TestWork.batch(500, 7, 0), TestWork.batch(500, 64, 1), TestWork.stream(500, 0));
        Random random = new Random(1);
        for (int i = 0; i < 200; i++) {
            CompletableFuture<long[]> request =
                    transport.squares(kinds.get(i % 4), () -> null).toFuture();
            if (random.nextInt(4) == 0) {
                request.cancel(true);
            } else {
                requests.add(request);
            }
        }
        long[] expected = LongStream.rangeClosed(1, 500).map(k -> k * k).toArray();
        for (CompletableFuture<long[]> request : requests) {
            assertThat(request).succeedsWithin(PATIENCE).isEqualTo(expected);
        }
        repliers.shutdown();
        assertThat(repliers.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
        // One more for each thread: a call that is cancelled while it is being sent stops counting before it is gone.
        assertThat(most.get()).as("messages, and inputs of streams").isLessThanOrEqualTo(64 + 64 + 5);
        assertThat(transport.inFlight()).isZero();
        assertThat(transport.inFlightLimit).extracting("inputs", "bytes").containsExactly(0, 0L);
        assertThat(transport.waiting()).isZero();
        assertRoomFor(transport, 200);
    }

    /** The first calls after a start load classes and take long, and one event loop must not send all of them. */
    @Test
    void aThreadThatStartsARequestIsNotHeldByItsSending() {
        int calls = 40;
        Duration each = Duration.ofMillis(25);
        List<String> threads = Collections.synchronizedList(new ArrayList<>());
        ScriptedClient cold = new ScriptedClient() {
            @Override
            public Mono<SquareReply> square(SquareRequest request) {
                threads.add(Thread.currentThread().getName());
                LockSupport.parkNanos(each.toNanos());
                return super.square(request);
            }
        };
        Transport transport = withItsOwnThread(cold, calls, 1);

        CompletableFuture<long[]> squares =
                transport.squares(TestWork.unary(calls, 0), () -> null).toFuture();

        await().atMost(PATIENCE).until(() -> cold.calls.size() == calls);
        assertThat(threads).containsOnly(Thread.currentThread().getName(), "send-scripted");
        assertThat(threads)
                .filteredOn(Thread.currentThread().getName()::equals)
                .as("calls that the starting thread sent")
                .isNotEmpty()
                .hasSizeLessThan(calls / 2);
        cold.calls.forEach(Call::right);
        assertThat(squares).succeedsWithin(PATIENCE);
        assertThat(transport.inFlight()).isZero();
    }

    /**
     * A deadline's error comes on a timer that all variants share, and a stock client may hold the thread that sends.
     */
    @Test
    void anErrorDoesNotWaitForTheCallsThatAreSentInItsPlace() {
        CountDownLatch mayEnd = new CountDownLatch(1);
        AtomicInteger sent = new AtomicInteger();
        ScriptedClient holding = new ScriptedClient() {
            @Override
            public Mono<SquareReply> square(SquareRequest request) {
                if (sent.incrementAndGet() > 1) {
                    assertThatNoException().isThrownBy(mayEnd::await);
                }
                return super.square(request);
            }
        };
        Transport transport = withItsOwnThread(holding, 1, 2);
        CompletableFuture<long[]> silent =
                transport.squares(TestWork.unary(1, 0), () -> null).toFuture();
        CompletableFuture<long[]> next =
                transport.squares(TestWork.unary(1, 0), () -> null).toFuture();

        assertTimeoutPreemptively(PATIENCE, () -> holding.calls.remove().fail(Outcome.TIMEOUT));
        assertThat(silent).isCompletedExceptionally();

        mayEnd.countDown();
        await().atMost(PATIENCE).until(() -> holding.calls.size() == 1);
        holding.calls.remove().right();
        assertThat(next).succeedsWithin(PATIENCE);
    }

    private Transport withItsOwnThread(SquareClient client, int calls, int requests) {
        return Objects.requireNonNull(new Transports(
                        Map.of("scripted", client),
                        TestVariants.all(),
                        new MockEnvironment(),
                        properties(calls, calls, requests),
                        meters)
                .find("scripted"));
    }

    /** Asserts that exactly so many more requests are admitted. */
    private void assertRoomFor(Transport transport, int requests) {
        for (int i = 0; i < requests; i++) {
            transport.admit();
        }
        assertThatThrownBy(transport::admit).isInstanceOf(CallException.class);
        for (int i = 0; i < requests; i++) {
            transport.release();
        }
    }

    private List<Call> sent(int count) {
        List<Call> calls = new ArrayList<>();
        client.calls.drainTo(calls);
        assertThat(calls).hasSize(count);
        return calls;
    }

    private long counted(String metric, Outcome outcome) {
        return meters.get(metric).tag("outcome", outcome.tag()).timer().count();
    }

    private Transport transport(SquareClient client, int perRequest, int total, int requests) {
        return Objects.requireNonNull(
                TestTransports.of(client, properties(perRequest, total, requests), new MockEnvironment(), meters)
                        .find("scripted"));
    }

    private static FanOutProperties properties(int perRequest, int total, int requests) {
        return new FanOutProperties(
                10_000, Duration.ofSeconds(5), perRequest, total, 10_000, 100_000, 0.0625, requests);
    }
}
