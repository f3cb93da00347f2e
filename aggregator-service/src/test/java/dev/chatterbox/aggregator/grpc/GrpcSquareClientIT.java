package dev.chatterbox.aggregator.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.chatterbox.aggregator.client.ClientSettings;
import dev.chatterbox.aggregator.client.SquareClient;
import dev.chatterbox.aggregator.client.SquareReply;
import dev.chatterbox.aggregator.client.SquareRequest;
import dev.chatterbox.rows.Row;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;

@Tag("long")
class GrpcSquareClientIT extends GrpcContract {

    @Override
    protected String row() {
        return "grpc";
    }

    @Override
    SquareClient client(Row row, ClientSettings settings) {
        return new GrpcSquareClient(row, settings, LIMITS, meters);
    }

    @Override
    int outstanding(SquareClient client) {
        return ((GrpcSquareClient) client).outstanding();
    }

    @Override
    protected boolean connected(SquareClient client) {
        return ((GrpcSquareClient) client).connected();
    }

    @Test
    void usesItsTargetsInTurn() {
        GrpcPeer first = open(new GrpcPeer());
        GrpcPeer second = open(new GrpcPeer());
        SquareClient client =
                ready(client("localhost:%d,localhost:%d".formatted(first.port(), second.port()), Map.of()));
        Flux.range(1, 16)
                .flatMap(number -> client.square(new SquareRequest(number, PATIENCE)))
                .subscribe(reply -> {}, error -> {});
        first.next(8);
        second.next(8);
        assertThat(first.waiting() + second.waiting()).isZero();
    }

    @Test
    void renewsItsConnectionsUnderLoadAndLosesNoCall() {
        GrpcPeer peer = open(new GrpcPeer());
        SquareClient client = ready(client("localhost:" + peer.port(), Map.of("client.max-age", "100ms")));
        int atFirst = peer.connections();
        AtomicInteger replies = new AtomicInteger();
        CompletableFuture<?> calls = Flux.range(1, Integer.MAX_VALUE)
                .takeUntil(number -> peer.connections() >= 5 * atFirst)
                .flatMap(number -> client.square(new SquareRequest(number, PATIENCE)), 64)
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

        assertThat(calls).succeedsWithin(Duration.ofSeconds(30));
        assertThat(replies.get()).isGreaterThan(1000);
    }

    /** By itself, grpc-java would wait for a minute by then. */
    @Test
    void comesBackAtOnceFromALongAbsence() {
        GrpcPeer first = (GrpcPeer) open(peer());
        SquareClient client = ready(client());
        first.close();
        await().pollDelay(Duration.ofSeconds(8)).atMost(PATIENCE).until(() -> !connected(client));

        GrpcPeer second = open(new GrpcPeer(first.port()));
        await().atMost(Duration.ofSeconds(2)).until(() -> connected(client));
        CompletableFuture<SquareReply> call =
                client.square(new SquareRequest(3, PATIENCE)).toFuture();
        second.next().right();
        assertThat(call).succeedsWithin(PATIENCE);
    }
}
