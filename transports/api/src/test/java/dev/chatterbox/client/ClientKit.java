package dev.chatterbox.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.awaitility.Awaitility.await;

import dev.chatterbox.brokers.RunningBroker;
import dev.chatterbox.client.ScriptedPeer.Received;
import dev.chatterbox.connection.BrokerConnection;
import dev.chatterbox.connection.KeptConnection;
import dev.chatterbox.transport.CallMode;
import dev.chatterbox.transport.CallWork;
import dev.chatterbox.variants.Variant;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.springframework.test.util.ReflectionTestUtils;
import reactor.test.StepVerifier;

/**
 * The set-up of the contract's cases, and assertions that several cases use. A client's own test supplies the client, a
 * peer on the real broker, the real responder, and an address where nobody listens.
 */
public abstract class ClientKit {

    /** The limit for events without a time limit of their own; a busy machine takes its time. */
    public static final Duration PATIENCE = Duration.ofMinutes(1);

    /** A deadline that no call of a test reaches. */
    protected static final Duration LONG = Duration.ofMinutes(2);

    /** The time limit for noticing that a broker is gone, and for using it again after its return. */
    protected static final Duration RECOVERY = Duration.ofSeconds(10);

    /** Less than any wait of a library that a client must not have. */
    protected static final Duration AT_ONCE = Duration.ofSeconds(5);

    /** How long a state must last that is to stay. */
    protected static final Duration A_WHILE = Duration.ofSeconds(2);

    protected static final Duration SHORT = Duration.ofMillis(300);

    /** What a call asks of the real responder besides the square; it waits for {@link #SHORT}. */
    static final CallWork WORK = CallWork.of(200, (int) SHORT.toMillis() * 1_000);

    protected static final CallLimits LIMITS = new CallLimits(2_048, 2_048, 32 << 20, Duration.ofSeconds(5));

    private static @Nullable RealResponder realResponder;

    protected final MeterRegistry meters = new SimpleMeterRegistry();
    private final List<AutoCloseable> opened = new ArrayList<>();
    private final List<SquareClient> running = new ArrayList<>();

    /** The name of the variant whose client is tested. */
    protected abstract String variant();

    /** A new client, not started, whose calls reach {@link #peer}. */
    protected abstract SquareClient client();

    /** A peer that is ready to receive. */
    protected abstract ScriptedPeer peer();

    /** A new client, not started, of {@link #realResponder}. */
    protected abstract SquareClient clientOfTheRealResponder();

    /**
     * The variant's real responder, which stays until the test class ends. The peers of tests have other addresses.
     *
     * @param broker its environment variables
     */
    final RealResponder realResponder(Map<String, String> broker) {
        RealResponder started = realResponder;
        if (started == null) {
            started = RealResponder.start(TestVariants.find(variant()), broker);
            realResponder = started;
        }
        return started;
    }

    @AfterAll
    static void stopRealResponder() {
        if (realResponder != null) {
            realResponder.close();
            realResponder = null;
        }
    }

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

    /** The client that the variant names, made as the aggregator makes it. */
    protected final SquareClient make(Variant variant, Object... beans) {
        return TestClients.make(
                variant,
                Stream.concat(Stream.of(LIMITS, meters), Stream.of(beans)).toArray());
    }

    /**
     * How many entries, tasks or connections in use the client holds for calls; its own count unless a test knows more.
     */
    protected int holds(SquareClient client) {
        return (int) meters.get("chatterbox.calls.pending").gauges().stream()
                .mapToDouble(Gauge::value)
                .sum();
    }

    /** False if a reply travels on its request's own connection, so that none can come for another call. */
    protected boolean repliesCanStray() {
        return true;
    }

    /** True if a call waits until its deadline where no broker has ever been. */
    protected boolean waitsForABrokerThatNeverWas() {
        return false;
    }

    /** False if the library silently drops a reply that belongs to no call. */
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

    /** Whether the request is within the client's message limit, and small enough for a quick test. */
    static boolean isCarried(SquareClient client, SquareRequest request) {
        long bytes = SquareRequest.mostBytes(request.count(), request.payload());
        return bytes <= client.messageLimit().bytes() && bytes < 5_000_000;
    }

    static void isRight(SquareClient client, SquareRequest request) {
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

    /** The request, which asks for {@link #WORK}, is answered right and not before it has waited. */
    static void isWorked(SquareClient client, SquareRequest request) {
        long start = System.nanoTime();
        isRight(client, request);
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(SHORT);
    }

    boolean hasBatches() {
        return TestVariants.find(variant()).modes().contains(CallMode.BATCH);
    }

    static void isUnavailable(SquareClient client) {
        CompletableFuture<SquareReply> call = new CompletableFuture<>();
        assertThatCode(() ->
                        client.square(TestRequests.of(3, LONG)).subscribe(call::complete, call::completeExceptionally))
                .doesNotThrowAnyException();
        assertThat(call)
                .failsWithin(PATIENCE)
                .withThrowableThat()
                .satisfies(error -> assertThat(Outcome.of(error.getCause())).isEqualTo(Outcome.UNAVAILABLE));
    }

    /** Sends the request once, on a connection in use, over which a library with retries would send it again. */
    void failsWith(Outcome outcome, Consumer<Received> answer, String... messageParts) {
        failsWith(outcome, TestRequests.of(3, LONG), answer, messageParts);
    }

    void failsWith(Outcome outcome, SquareRequest request, Consumer<Received> answer, String... messageParts) {
        failsWith(outcome, request, false, answer, messageParts);
    }

    /** @param lost whether a client that sends again does so after this answer */
    void failsWith(
            Outcome outcome, SquareRequest request, boolean lost, Consumer<Received> answer, String... messageParts) {
        ScriptedPeer peer = open(peer());
        SquareClient client = ready(client());
        answersStill(client, peer);
        CompletableFuture<SquareReply> call = client.square(request).toFuture();
        answer.accept(peer.next());
        if (lost && client.deviations().contains(Deviation.SENDS_AGAIN)) {
            answer.accept(peer.next());
        }
        assertThat(call).failsWithin(PATIENCE).withThrowableThat().satisfies(error -> {
            assertThat(Outcome.of(error.getCause())).isEqualTo(outcome);
            assertThat(error.getCause().getMessage()).contains(messageParts);
        });
        if (outcome == Outcome.UNAVAILABLE && client.deviations().contains(Deviation.NOTICES_LATE)) {
            noticesLate(client, peer);
        }
        answersStill(client, peer);
        assertThat(peer.waiting()).as("requests that were sent again").isZero();
        holdsNothing(client);
    }

    /** A call made by another call's error, on the same thread, comes before the library has noticed the loss. */
    void noticesLate(SquareClient client, ScriptedPeer peer) {
        answersInTheEnd(client, peer);
        CompletableFuture<SquareReply> next = new CompletableFuture<>();
        client.square(TestRequests.of(3, LONG))
                .subscribe(
                        reply -> {},
                        lost -> client.square(TestRequests.of(4, LONG))
                                .subscribe(next::complete, next::completeExceptionally));
        peer.next().breakOff(0);
        assertThat(next)
                .failsWithin(PATIENCE)
                .withThrowableThat()
                .satisfies(error -> assertThat(Outcome.of(error.getCause())).isEqualTo(Outcome.UNAVAILABLE));
        answersInTheEnd(client, peer);
    }

    void answersInTheEnd(SquareClient client, ScriptedPeer peer) {
        await().atMost(PATIENCE).pollDelay(Duration.ZERO).ignoreExceptions().until(() -> {
            CompletableFuture<SquareReply> call =
                    client.square(TestRequests.of(5, LONG)).toFuture();
            await().atMost(PATIENCE).pollDelay(Duration.ZERO).until(() -> call.isDone() || peer.waiting() > 0);
            if (!call.isDone()) {
                peer.next().right();
            }
            return call.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS).square(0) == 25;
        });
    }

    void answersStill(SquareClient client, ScriptedPeer peer) {
        CompletableFuture<SquareReply> call =
                client.square(TestRequests.of(5, LONG)).toFuture();
        Received request = peer.next();
        assertThat(request.number()).isEqualTo(5);
        request.right();
        assertThat(call)
                .succeedsWithin(PATIENCE)
                .satisfies(reply -> assertThat(reply.square(0)).isEqualTo(25));
    }

    void countsOneMore(double before) {
        if (countsStrayReplies()) {
            await().atMost(PATIENCE).untilAsserted(() -> assertThat(unmatched()).isEqualTo(before + 1));
        }
    }

    void holdsNothing(SquareClient client) {
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(holds(client)).isZero());
    }

    double unmatched() {
        return countsStrayReplies()
                ? meters.get("chatterbox.replies.unmatched")
                        .tag("transport", variant())
                        .counter()
                        .count()
                : 0;
    }

    protected final <T extends AutoCloseable> T open(T closeable) {
        opened.add(closeable);
        return closeable;
    }

    SquareClient started(SquareClient client) {
        client.start();
        running.add(client);
        return client;
    }

    void stop(SquareClient client) {
        running.remove(client);
        client.stop();
    }

    /** Starts the client, and waits until it is connected. */
    protected final SquareClient ready(SquareClient client) {
        started(client);
        await().atMost(PATIENCE).pollDelay(Duration.ZERO).until(() -> connected(client));
        return client;
    }

    /** Whether calls can be made; the peer may not answer a check as a responder does. */
    protected boolean connected(SquareClient client) {
        KeptConnection<?> connection = (KeptConnection<?>) ReflectionTestUtils.getField(client, "connection");
        BrokerConnection open = Objects.requireNonNull(connection).current();
        return open != null && open.problem() == null;
    }
}
