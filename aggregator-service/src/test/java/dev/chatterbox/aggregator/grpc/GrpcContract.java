package dev.chatterbox.aggregator.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.chatterbox.aggregator.RealResponder;
import dev.chatterbox.aggregator.TestRows;
import dev.chatterbox.aggregator.client.CallException;
import dev.chatterbox.aggregator.client.ClientSettings;
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
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.mock.env.MockEnvironment;
import reactor.test.StepVerifier;

/** What the clients over gRPC have in common: a peer on grpc-java's server, and the real responder. */
abstract class GrpcContract extends SquareClientContract {

    private @Nullable GrpcPeer peer;

    abstract SquareClient client(Row row, ClientSettings settings);

    /** How many calls the client says are outstanding. */
    abstract int outstanding(SquareClient client);

    @Override
    protected SquareClient client() {
        return client(peer.port());
    }

    private SquareClient client(int port) {
        return client("localhost:" + port, Map.of());
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
        return client(responder.ports().get("grpc"));
    }

    @Override
    protected SquareClient clientOfNobody() {
        return client(Ports.free(1).get(0));
    }

    @Override
    protected ScriptedPeer peer() {
        peer = new GrpcPeer();
        return peer;
    }

    /** What the client has given up, its peer must have been told. */
    @Override
    protected int held(SquareClient client) {
        return Math.max(outstanding(client), peer == null ? 0 : peer.unanswered());
    }

    @Override
    protected boolean repliesCanStray() {
        return false;
    }

    @Override
    protected boolean repliesCanBreakOff() {
        return true;
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2})
    void aReplyOfNoneOrTwoMessagesIsAnError(int messages) {
        GrpcPeer peer = (GrpcPeer) open(peer());
        SquareClient client = ready(client());
        CompletableFuture<SquareReply> call =
                client.square(new SquareRequest(3, PATIENCE)).toFuture();

        ((GrpcPeer.Request) peer.next()).messages(messages);

        assertThat(call)
                .failsWithin(PATIENCE)
                .withThrowableThat()
                .havingCause()
                .isInstanceOfSatisfying(
                        CallException.class,
                        error -> assertThat(error.outcome()).isEqualTo(Outcome.ERROR));
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(outstanding(client)).isZero());
    }

    @Test
    void theReasonOfAnErrorReplyIsTold() {
        GrpcPeer peer = (GrpcPeer) open(peer());
        SquareClient client = ready(client());
        CompletableFuture<SquareReply> call =
                client.square(new SquareRequest(3, PATIENCE)).toFuture();

        peer.next().error("out of numbers");

        assertThat(call)
                .failsWithin(PATIENCE)
                .withThrowableThat()
                .havingCause()
                .withMessage("an error reply: FAILED_PRECONDITION: out of numbers");
    }

    /** Which then answers again where it did. */
    @Test
    void isUnavailableAtOnceWithoutItsSquareServiceAndComesBackWithIt() {
        GrpcPeer first = (GrpcPeer) open(peer());
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
        assertThat(took).isLessThan(AT_ONCE);

        GrpcPeer second = open(new GrpcPeer(first.port()));
        await().atMost(RECOVERY).pollInterval(Duration.ofMillis(50)).until(() -> {
            client.square(new SquareRequest(4, PATIENCE)).subscribe(reply -> {}, error -> {});
            return second.waiting() > 0;
        });
    }
}
