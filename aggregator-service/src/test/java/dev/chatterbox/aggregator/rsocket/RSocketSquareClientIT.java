package dev.chatterbox.aggregator.rsocket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.chatterbox.aggregator.client.CallException;
import dev.chatterbox.aggregator.client.ClientSettings;
import dev.chatterbox.aggregator.client.Outcome;
import dev.chatterbox.aggregator.client.ScriptedPeer.Received;
import dev.chatterbox.aggregator.client.SquareClient;
import dev.chatterbox.aggregator.client.SquareReply;
import dev.chatterbox.aggregator.client.SquareRequest;
import dev.chatterbox.rows.Row;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;

@Tag("long")
class RSocketSquareClientIT extends RSocketContract {

    @Override
    protected String row() {
        return "rsocket";
    }

    @Override
    SquareClient client(Row row, ClientSettings settings) {
        return new RSocketSquareClient(row, settings, LIMITS, meters);
    }

    @Override
    int outstanding(SquareClient client) {
        return ((RSocketSquareClient) client).outstanding();
    }

    @Override
    protected boolean connected(SquareClient client) {
        return ((RSocketSquareClient) client).connected();
    }

    @Test
    void usesItsTargetsInTurn() {
        RSocketPeer first = open(new RSocketPeer());
        RSocketPeer second = open(new RSocketPeer());
        SquareClient client =
                ready(client("127.0.0.1:%d,127.0.0.1:%d".formatted(first.port(), second.port()), Map.of()));
        Flux.range(1, 16)
                .flatMap(number -> client.square(new SquareRequest(number, PATIENCE)))
                .subscribe(reply -> {}, error -> {});
        first.next(8);
        second.next(8);
        assertThat(first.waiting() + second.waiting()).isZero();
        assertThat(first.connections()).isEqualTo(1);

        first.close();
        await().atMost(PATIENCE).until(() -> !connected(client));
        CompletableFuture<SquareReply> one =
                client.square(new SquareRequest(3, PATIENCE)).toFuture();
        CompletableFuture<SquareReply> two =
                client.square(new SquareRequest(4, PATIENCE)).toFuture();
        second.next(2).forEach(Received::right);
        assertThat(one).succeedsWithin(PATIENCE);
        assertThat(two).succeedsWithin(PATIENCE);
    }

    /** A machine that is gone closes nothing. */
    @Test
    void aConnectionWhoseOtherSideIsSilentIsMadeAnew() {
        RSocketPeer peer = open(new RSocketPeer());
        SquareClient client = ready(client(
                "127.0.0.1:" + peer.port(), Map.of("client.keep-alive", "100ms", "client.max-lifetime", "500ms")));
        CompletableFuture<SquareReply> call =
                client.square(new SquareRequest(3, LONG)).toFuture();
        peer.next();
        assertThat(peer.connections()).isEqualTo(1);

        peer.fallSilent();

        assertThat(call)
                .failsWithin(PATIENCE)
                .withThrowableThat()
                .havingCause()
                .isInstanceOfSatisfying(
                        CallException.class,
                        error -> assertThat(error.outcome()).isEqualTo(Outcome.UNAVAILABLE))
                .withMessageContaining("keep-alive");
        await().atMost(PATIENCE).until(() -> peer.connections() > 1);
    }

    /** Netty's detector looks at every buffer. That it finds one is shown by one that is lost on purpose. */
    @Test
    void releasesEveryReply() {
        RSocketPeer peer = open(new RSocketPeer());
        SquareClient client = ready(client("127.0.0.1:" + peer.port(), Map.of()));
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
                    // Twice.
                    request -> {
                        request.right();
                        request.right();
                    });
            for (int round = 0; round < 20; round++) {
                for (Consumer<Received> answer : answers) {
                    List<Disposable> calls = IntStream.rangeClosed(1, 50)
                            .mapToObj(number -> client.square(new SquareRequest(number + 4, LONG))
                                    .subscribe(reply -> {}, error -> {}))
                            .toList();
                    List<Received> requests = peer.next(50);
                    // Some are given up while their replies are under way.
                    calls.stream().limit(10).forEach(Disposable::dispose);
                    requests.forEach(answer);
                    await().atMost(PATIENCE)
                            .pollDelay(Duration.ZERO)
                            .until(() -> calls.stream().allMatch(Disposable::isDisposed));
                }
            }
            await().atMost(PATIENCE).until(() -> outstanding(client) == 0);

            PooledByteBufAllocator.DEFAULT.heapBuffer(77_777);
            await().atMost(LONG).pollInterval(Duration.ofMillis(50)).until(() -> {
                System.gc();
                // The detector reports when it is asked to watch another.
                PooledByteBufAllocator.DEFAULT.heapBuffer().release();
                return !leaks.list.isEmpty();
            });
            assertThat(leaks.list).hasSize(1);
        } finally {
            ResourceLeakDetector.setLevel(before);
            detector.detachAppender(leaks);
        }
    }
}
