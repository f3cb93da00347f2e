package dev.chatterbox.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.chatterbox.client.ScriptedPeer.Received;
import dev.chatterbox.processes.Ports;
import io.micrometer.core.instrument.Gauge;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.test.StepVerifier;

/**
 * The contract without a broker: requests go to servers at addresses that the variant names. The tests of a transport
 * supply a {@link Wiring} and the peer. The client is that of the variant, made as the aggregator makes it.
 */
public abstract class DirectClientContract extends SquareClientContract {

    /**
     * How the tests of one transport reach its servers.
     *
     * @param setting the setting of the variant by which its client finds the servers
     * @param target a value of this setting; {@code %d} is a port
     * @param role of the responder's port
     * @param errorReply a call's error message after the peer's error reply with the reason "out of numbers"
     */
    public record Wiring(String setting, String target, String role, String errorReply) {}

    private final Wiring wiring;
    private @Nullable DirectPeer peer;

    protected DirectClientContract(Wiring wiring) {
        this.wiring = wiring;
    }

    /** @param port 0 for any */
    protected abstract DirectPeer peer(int port);

    /** The constructor's other arguments, without the variant, its settings, its limits and the meters. */
    protected Object[] beans() {
        return new Object[0];
    }

    /** The settings of all clients of this variant, without their servers. */
    protected Map<String, String> settings() {
        return Map.of();
    }

    /** A new client, not started, of servers at these ports. */
    protected final SquareClient client(Map<String, String> settings, int... ports) {
        Map<String, String> values = new HashMap<>(settings());
        values.putAll(settings);
        List<String> targets = new ArrayList<>();
        for (int port : ports) {
            targets.add(wiring.target().formatted(port));
        }
        values.put(wiring.setting(), String.join(",", targets));
        return make(TestVariants.with(variant(), values).find(variant()).orElseThrow(), beans());
    }

    @Override
    protected final SquareClient client() {
        return client(Map.of(), peer.port());
    }

    @Override
    protected final SquareClient clientOfTheRealResponder() {
        return client(Map.of(), realResponder(Map.of()).ports().get(wiring.role()));
    }

    @Override
    protected final SquareClient clientOfNobody() {
        return client(Map.of(), Ports.free(1).get(0));
    }

    @Override
    protected final DirectPeer peer() {
        peer = peer(0);
        return peer;
    }

    /** The peer must know what the client has given up; a stock client has no count of its own. */
    @Override
    protected int holds(SquareClient client) {
        double own = meters.find("chatterbox.calls.pending").gauges().stream()
                .mapToDouble(Gauge::value)
                .sum();
        return Math.max((int) own, peer == null ? 0 : peer.unanswered());
    }

    /** A stock client connects with its first call. */
    @Override
    protected boolean connected(SquareClient client) {
        return true;
    }

    @Override
    protected boolean repliesCanStray() {
        return false;
    }

    @Override
    protected boolean repliesCanBreakOff() {
        return true;
    }

    /** The error of a call whose request the peer answers in this way. */
    protected final CallException errorOf(Consumer<? super Received> answer) {
        DirectPeer peer = open(peer());
        SquareClient client = ready(client());
        CompletableFuture<SquareReply> call =
                client.square(TestRequests.of(3, PATIENCE)).toFuture();
        answer.accept(peer.next());
        CallException error = errorOf(call);
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(holds(client)).isZero());
        return error;
    }

    protected static CallException errorOf(CompletableFuture<SquareReply> call) {
        assertThat(call).failsWithin(PATIENCE).withThrowableThat().havingCause().isInstanceOf(CallException.class);
        return (CallException) call.handle((reply, error) -> error).join();
    }

    @Test
    void theReasonOfAnErrorReplyIsInTheError() {
        assertThat(errorOf(request -> request.error("out of numbers"))).hasMessage(wiring.errorReply());
    }

    /** Two peers, between which the client has divided its calls equally. */
    protected final List<DirectPeer> peersThatAreUsedInTurn() {
        DirectPeer first = open(peer(0));
        DirectPeer second = open(peer(0));
        peer = second;
        SquareClient client = ready(client(Map.of(), first.port(), second.port()));
        Flux.range(1, 16)
                .flatMap(number -> client.square(TestRequests.of(number, PATIENCE)))
                .subscribe(reply -> {}, error -> {});
        Stream.of(first, second).flatMap(peer -> peer.next(8).stream()).forEach(Received::right);
        assertThat(first.waiting() + second.waiting()).isZero();
        return List.of(first, second);
    }

    @Test
    void isUnavailableAtOnceWithoutItsSquareServiceAndComesBackWithIt() {
        DirectPeer first = open(peer());
        SquareClient client = ready(client());
        CompletableFuture<SquareReply> call =
                client.square(TestRequests.of(3, PATIENCE)).toFuture();
        first.next();

        first.close();

        assertThat(errorOf(call).outcome()).isEqualTo(Outcome.UNAVAILABLE);
        Duration took = StepVerifier.create(client.square(TestRequests.of(3, PATIENCE)))
                .expectErrorSatisfies(error -> assertThat(Outcome.of(error)).isEqualTo(Outcome.UNAVAILABLE))
                .verify(PATIENCE);
        assertThat(took).isLessThan(AT_ONCE);

        boolean givesUp = client.deviations().contains(Deviation.GIVES_UP_CONNECTING);
        if (givesUp) {
            // The calls above may have failed on the lost connection before the client tried to connect.
            await().atMost(PATIENCE).untilAsserted(() -> {
                call(client);
                StepVerifier.create(client.check())
                        .expectErrorMatches(error -> error.getMessage().contains("tries no more"))
                        .verify(PATIENCE);
            });
        }
        DirectPeer second = open(peer(first.port()));
        if (givesUp) {
            await().atMost(PATIENCE).during(A_WHILE).until(() -> {
                call(client);
                return second.connections() == 0;
            });
            return;
        }
        await().atMost(RECOVERY).pollInterval(Duration.ofMillis(50)).until(() -> {
            call(client);
            return second.waiting() > 0;
        });
    }

    private static void call(SquareClient client) {
        client.square(TestRequests.of(4, PATIENCE)).subscribe(reply -> {}, error -> {});
    }

    /** Netty's detector tracks every buffer. A buffer that is lost on purpose shows that the detector works. */
    @Tag("long")
    @Test
    void releasesEveryReply() {
        DirectPeer peer = open(peer());
        SquareClient client = ready(client());
        Logger detector = (Logger) LoggerFactory.getLogger(ResourceLeakDetector.class);
        ListAppender<ILoggingEvent> leaks = new ListAppender<>();
        leaks.start();
        detector.addAppender(leaks);
        ResourceLeakDetector.Level before = ResourceLeakDetector.getLevel();
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
        try {
            List<Consumer<Received>> answers = List.of(
                    Received::right,
                    Received::garbage,
                    request -> request.square(request.number(), 10),
                    request -> request.error("out of numbers"),
                    repliesCanStray() ? DirectClientContract::answerTwice : Received::right);
            for (int round = 0; round < 20; round++) {
                for (Consumer<Received> answer : answers) {
                    List<Disposable> calls = IntStream.rangeClosed(1, 50)
                            .mapToObj(number -> client.square(TestRequests.of(number + 4, LONG))
                                    .subscribe(reply -> {}, error -> {}))
                            .toList();
                    List<Received> requests = peer.next(50);
                    // Some calls are given up while their replies are on their way.
                    calls.stream().limit(10).forEach(Disposable::dispose);
                    requests.forEach(answer);
                    await().atMost(PATIENCE)
                            .pollDelay(Duration.ZERO)
                            .until(() -> calls.stream().allMatch(Disposable::isDisposed));
                }
            }
            await().atMost(PATIENCE).until(() -> holds(client) == 0);

            // A leak on purpose shows that the detector works. It reports leaks with equal records once per JVM.
            PooledByteBufAllocator.DEFAULT.heapBuffer(77_777).touch(variant());
            await().atMost(LONG).pollInterval(Duration.ofMillis(50)).until(() -> {
                System.gc();
                // The detector reports leaks when it begins to track another buffer.
                PooledByteBufAllocator.DEFAULT.heapBuffer().release();
                return !ofTheClient(leaks).isEmpty();
            });
            assertThat(ofTheClient(leaks)).hasSize(1);
        } finally {
            ResourceLeakDetector.setLevel(before);
            detector.detachAppender(leaks);
        }
    }

    /** Leaves out buffers that the peer made for a requester that had gone: the peer's own library lost them. */
    private static List<String> ofTheClient(ListAppender<ILoggingEvent> leaks) {
        return List.copyOf(leaks.list).stream()
                .map(ILoggingEvent::getFormattedMessage)
                .filter(leak -> !leak.contains("Peer$"))
                .toList();
    }

    private static void answerTwice(Received request) {
        request.right();
        request.right();
    }
}
