package dev.chatterbox.rsocket;

import static org.assertj.core.api.Assertions.assertThat;

import io.rsocket.Payload;
import io.rsocket.RSocket;
import io.rsocket.SocketAcceptor;
import io.rsocket.core.RSocketConnector;
import io.rsocket.core.RSocketServer;
import io.rsocket.transport.netty.server.CloseableChannel;
import io.rsocket.transport.netty.server.TcpServerTransport;
import io.rsocket.util.DefaultPayload;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

class ConnectionsTests {

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private static final Duration LAST_CALLS = Duration.ofSeconds(5);

    private final CloseableChannel first = server();
    private final CloseableChannel second = server();
    private volatile Connections.Lookup lookup = () -> Set.of(first.address(), second.address());
    private final Connections connections = new Connections(
            "squares", () -> lookup.addresses(), Duration.ofMillis(1), LAST_CALLS, RSocketConnector.create());

    /** Starts a server that answers after half a second. */
    private static CloseableChannel server() {
        SocketAcceptor late =
                SocketAcceptor.forRequestResponse(request -> Mono.just(request).delayElement(Duration.ofMillis(500)));
        return RSocketServer.create(late).bindNow(TcpServerTransport.create("127.0.0.1", 0));
    }

    @AfterEach
    void stop() {
        connections.stop();
        first.dispose();
        second.dispose();
    }

    @Test
    void aConnectionWhoseAddressIsGoneTakesNoCallsFinishesItsOwnAndIsClosed() {
        connections.start();
        await().until(() -> connections.all().size() == 2);
        List<RSocket> both = connections.all();
        List<CompletableFuture<Payload>> calls = both.stream()
                .map(connection ->
                        connection.requestResponse(DefaultPayload.create("3")).toFuture())
                .toList();

        lookup = () -> Set.of(first.address());

        await().until(() -> connections.all().size() == 1);
        RSocket connection = connections.all().get(0);
        RSocket gone = both.get(both.get(0) == connection ? 1 : 0);
        assertThat(gone.isDisposed()).isFalse();
        assertThat(connections.next(0)).isSameAs(connections.next(1)).isSameAs(connection);
        calls.forEach(call -> assertThat(call).succeedsWithin(PATIENCE));
        await().until(gone::isDisposed);
        assertThat(connection.isDisposed()).isFalse();
    }

    @Test
    void addressesThatCannotBeFoundStayAsTheyWere() {
        connections.start();
        await().until(() -> connections.all().size() == 2);
        lookup = () -> {
            throw new IOException("no name server");
        };
        await().during(Duration.ofSeconds(1)).until(() -> connections.all().size() == 2);
    }

    @Test
    void aTargetWithoutAnAddressHoldsUpNoOther() {
        String there = "127.0.0.1:" + first.address().getPort();
        Connections some = new Connections(List.of("no-such-host.invalid:1", there), RSocketConnector.create());
        try {
            some.start();
            await().until(() -> some.all().size() == 1);
        } finally {
            some.stop();
        }
    }

    /** As long as a busy machine takes. */
    private static ConditionFactory await() {
        return Awaitility.await().atMost(PATIENCE);
    }
}
