package dev.chatterbox.aggregator.rsocket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.chatterbox.aggregator.RealResponder;
import dev.chatterbox.aggregator.TestRows;
import dev.chatterbox.aggregator.client.CallException;
import dev.chatterbox.aggregator.client.ClientSettings;
import dev.chatterbox.aggregator.client.Deviation;
import dev.chatterbox.aggregator.client.Outcome;
import dev.chatterbox.aggregator.client.ScriptedPeer;
import dev.chatterbox.aggregator.client.SquareClient;
import dev.chatterbox.aggregator.client.SquareClientContract;
import dev.chatterbox.aggregator.client.SquareReply;
import dev.chatterbox.aggregator.client.SquareRequest;
import dev.chatterbox.processes.Ports;
import dev.chatterbox.rows.Row;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.mock.env.MockEnvironment;
import reactor.test.StepVerifier;

/** What the clients over RSocket have in common: a peer that speaks frames, and the real responder. */
abstract class RSocketContract extends SquareClientContract {

    private @Nullable RSocketPeer peer;

    abstract SquareClient client(Row row, ClientSettings settings);

    /** How many calls the client says are outstanding. */
    abstract int outstanding(SquareClient client);

    @Override
    protected SquareClient client() {
        return client(peer.port());
    }

    private SquareClient client(int port) {
        return client("127.0.0.1:" + port, Map.of());
    }

    SquareClient client(String targets, Map<String, String> settings) {
        Map<String, String> values = new HashMap<>(settings);
        values.put("client.targets", targets);
        Row row = TestRows.with(row(), values).find(row()).orElseThrow();
        return client(row, new ClientSettings(row, new MockEnvironment()));
    }

    @Override
    protected SquareClient clientOfTheRealResponder() {
        RealResponder responder = open(RealResponder.start(TestRows.find(row()), Map.of()));
        return client(responder.ports().get("rsocket"));
    }

    @Override
    protected SquareClient clientOfNobody() {
        return client(Ports.free(1).get(0));
    }

    @Override
    protected ScriptedPeer peer() {
        peer = new RSocketPeer();
        return peer;
    }

    /** What the client has given up, its peer must have been told. */
    @Override
    protected int held(SquareClient client) {
        return Math.max(outstanding(client), peer == null ? 0 : peer.unanswered());
    }

    /** The library drops them. */
    @Override
    protected boolean countsStrayReplies() {
        return false;
    }

    @Override
    protected boolean repliesCanBreakOff() {
        return true;
    }

    @Test
    void aReplyWithoutAPayloadIsAnError() {
        CallException error = errorOf(RSocketPeer.Request::nothing);
        assertThat(error.outcome()).isEqualTo(Outcome.ERROR);
        assertThat(error).hasMessage("a reply that is not a square.Output message: it has no payload");
    }

    @Test
    void theReasonOfAnErrorReplyIsTold() {
        CallException error = errorOf(request -> request.error("out of numbers"));
        assertThat(error).hasMessage("an error reply: APPLICATION_ERROR: out of numbers");
    }

    /** By a square service that stops: it says that it has not looked at it. */
    @Test
    void aRejectedRequestIsUnavailable() {
        CallException error = errorOf(request -> request.reject("I am stopping"));
        assertThat(error.outcome()).isEqualTo(Outcome.UNAVAILABLE);
        assertThat(error).hasMessageContaining("I am stopping");
    }

    private CallException errorOf(Consumer<RSocketPeer.Request> answer) {
        RSocketPeer peer = (RSocketPeer) open(peer());
        SquareClient client = ready(client());
        CompletableFuture<SquareReply> call =
                client.square(new SquareRequest(3, PATIENCE)).toFuture();

        answer.accept((RSocketPeer.Request) peer.next());

        assertThat(call).failsWithin(PATIENCE).withThrowableThat().havingCause().isInstanceOf(CallException.class);
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(held(client)).isZero());
        return (CallException) call.handle((reply, error) -> error).join();
    }

    /** Which then answers again where it did. */
    @Test
    void isUnavailableAtOnceWithoutItsSquareServiceAndComesBackWithIt() {
        RSocketPeer first = (RSocketPeer) open(peer());
        SquareClient client = ready(client());
        CompletableFuture<SquareReply> call =
                client.square(new SquareRequest(3, PATIENCE)).toFuture();
        first.next();

        first.close();

        assertThat(call)
                .failsWithin(PATIENCE)
                .withThrowableThat()
                .havingCause()
                .isInstanceOfSatisfying(
                        CallException.class,
                        error -> assertThat(error.outcome()).isEqualTo(Outcome.UNAVAILABLE));
        Duration took = StepVerifier.create(client.square(new SquareRequest(3, PATIENCE)))
                .expectErrorSatisfies(error -> assertThat(Outcome.of(error)).isEqualTo(Outcome.UNAVAILABLE))
                .verify(PATIENCE);
        assertThat(took).isLessThan(Duration.ofSeconds(2));

        boolean givesUp = client.deviations().contains(Deviation.GIVES_UP_CONNECTING);
        if (givesUp) {
            // The calls above may have failed on the lost connection, so that it has not tried to connect yet.
            await().atMost(PATIENCE).untilAsserted(() -> {
                client.square(new SquareRequest(4, PATIENCE)).subscribe(reply -> {}, error -> {});
                StepVerifier.create(client.check())
                        .expectErrorMatches(error -> error.getMessage().contains("tries no more"))
                        .verify(PATIENCE);
            });
        }
        RSocketPeer second = open(new RSocketPeer(first.port()));
        if (givesUp) {
            await().atMost(PATIENCE).during(Duration.ofSeconds(2)).until(() -> {
                client.square(new SquareRequest(4, PATIENCE)).subscribe(reply -> {}, error -> {});
                return second.connections() == 0;
            });
            return;
        }
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(50)).until(() -> {
            client.square(new SquareRequest(4, PATIENCE)).subscribe(reply -> {}, error -> {});
            return second.waiting() > 0;
        });
    }
}
