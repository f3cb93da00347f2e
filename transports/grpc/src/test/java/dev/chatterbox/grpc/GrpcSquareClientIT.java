package dev.chatterbox.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.chatterbox.client.DirectPeer;
import dev.chatterbox.client.Outcome;
import dev.chatterbox.client.ScriptedPeer.Received;
import dev.chatterbox.client.SquareClient;
import dev.chatterbox.client.SquareReply;
import dev.chatterbox.client.TestRequests;
import io.grpc.ConnectivityState;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.test.util.ReflectionTestUtils;
import reactor.core.publisher.Flux;

/** The client with channels that connect before they are needed. */
@Tag("kit")
class GrpcSquareClientIT extends GrpcContract {

    @Override
    protected String variant() {
        return "grpc";
    }

    @Override
    protected boolean connected(SquareClient client) {
        return ((Channels) ReflectionTestUtils.getField(client, "channels"))
                .all().stream().allMatch(channel -> channel.getState(false) == ConnectivityState.READY);
    }

    @Test
    void usesItsTargetsInTurn() {
        peersThatAreUsedInTurn();
    }

    @Test
    void usesTheTargetThatIsLeftForAllCalls() {
        DirectPeer gone = open(peer(0));
        DirectPeer other = open(peer(0));
        SquareClient client = ready(client(Map.of(), gone.port(), other.port()));

        gone.close();
        await().atMost(PATIENCE).until(() -> !connected(client));
        Flux.range(1, 16)
                .flatMap(number -> client.square(TestRequests.of(number, PATIENCE)))
                .subscribe(reply -> {}, error -> {});

        other.next(16).forEach(Received::right);
    }

    @Test
    void renewsItsConnectionsUnderLoadAndLosesNoCall() {
        DirectPeer peer = open(peer());
        SquareClient client = ready(client(Map.of("client.max-age", "100ms"), peer.port()));
        int atFirst = peer.connections();
        AtomicInteger replies = new AtomicInteger();
        CompletableFuture<?> calls = Flux.range(1, Integer.MAX_VALUE)
                .takeUntil(number -> peer.connections() >= 5 * atFirst)
                .flatMap(number -> client.square(TestRequests.of(number, PATIENCE)), 64)
                .doOnNext(reply -> replies.incrementAndGet())
                .then()
                .toFuture();
        Thread answering = new Thread(() -> {
            while (!calls.isDone()) {
                if (peer.waiting() > 0) {
                    peer.next().right();
                } else {
                    LockSupport.parkNanos(50_000);
                }
            }
        });
        answering.setDaemon(true);
        answering.start();

        assertThat(calls).succeedsWithin(PATIENCE);
        assertThat(replies.get()).isGreaterThan(1000);
    }

    @Test
    void tellsTheServerItsDeadline() {
        GrpcPeer peer = (GrpcPeer) open(peer());
        SquareClient client = ready(client());
        client.square(TestRequests.of(3, PATIENCE)).subscribe();
        peer.next().right();

        assertThat(peer.deadline).isNotNull();
    }

    /** The call has a longer deadline, and without a ping nothing else would end it. */
    @Test
    void givesUpAConnectionOverWhichNothingComesBack() {
        GrpcPeer peer = (GrpcPeer) open(peer());
        SquareClient client = ready(client());
        CompletableFuture<SquareReply> first =
                client.square(TestRequests.of(3, LONG)).toFuture();
        peer.next().right();
        assertThat(first).succeedsWithin(PATIENCE);

        peer.fallSilent();
        assertThat(client.square(TestRequests.of(3, LONG)).toFuture())
                .failsWithin(PATIENCE)
                .withThrowableThat()
                .satisfies(error -> assertThat(Outcome.of(error.getCause())).isEqualTo(Outcome.UNAVAILABLE));
    }

    /** After so long an absence grpc-java would by itself wait for a minute. */
    @Test
    void comesBackAtOnceFromALongAbsence() {
        DirectPeer first = open(peer());
        SquareClient client = ready(client());
        first.close();
        await().pollDelay(Duration.ofSeconds(8)).atMost(PATIENCE).until(() -> !connected(client));

        DirectPeer second = open(peer(first.port()));
        await().atMost(AT_ONCE).until(() -> connected(client));
        CompletableFuture<SquareReply> call =
                client.square(TestRequests.of(3, PATIENCE)).toFuture();
        second.next().right();
        assertThat(call).succeedsWithin(PATIENCE);
    }
}
