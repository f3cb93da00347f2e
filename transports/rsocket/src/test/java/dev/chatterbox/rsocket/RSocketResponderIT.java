package dev.chatterbox.rsocket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.chatterbox.responder.DirectResponderKit;
import dev.chatterbox.responder.Requester;
import dev.chatterbox.responder.Requester.Message;
import dev.chatterbox.responder.ResponderProcess;
import dev.chatterbox.responder.Wire;
import io.rsocket.core.RSocketConnector;
import io.rsocket.exceptions.ApplicationErrorException;
import io.rsocket.exceptions.CanceledException;
import io.rsocket.util.DefaultPayload;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("kit")
class RSocketResponderIT extends DirectResponderKit {

    private static final byte[] THREE = Wire.input(3);
    private static final int MEGABYTE = 1 << 20;

    RSocketResponderIT() {
        super("square-service-rsocket");
    }

    /** A requester whose requests may name a route, but need not. */
    @Override
    protected Requester requester(ResponderProcess service) {
        return connect(service, RSocketConnector.create().metadataMimeType(Protocol.METADATA));
    }

    private static BareRSocketClient connect(ResponderProcess service, RSocketConnector connector) {
        return BareRSocketClient.connect(connector, service.port("rsocket"));
    }

    private BareRSocketClient client() {
        return (BareRSocketClient) requester;
    }

    @Override
    protected void awaitArrivals(Requester requester) {
        assertThat(((BareRSocketClient) requester).send(Protocol.request(new byte[0], Protocol.HEALTH)))
                .succeedsWithin(PATIENCE);
    }

    @Override
    public List<Named<byte[]>> bodiesThatAreNoRequest() {
        List<Named<byte[]>> bodies = new ArrayList<>(super.bodiesThatAreNoRequest());
        bodies.add(Named.of("one frame", new byte[15 * MEGABYTE]));
        return bodies;
    }

    private static void isNine(CompletableFuture<Message> answer) {
        assertThat(answer)
                .succeedsWithin(PATIENCE)
                .satisfies(reply -> assertThat(Wire.output(reply.body(), 3)).isEqualTo(Requester.Answer.square(9)));
    }

    /** The library refuses what is more than a frame before the service sees it. */
    @Test
    void refusesARequestThatIsTooLargeAndGoesOn() {
        try (BareRSocketClient other =
                connect(service, RSocketConnector.create().fragment(MEGABYTE))) {
            assertThat(other.send(false, new byte[20 * MEGABYTE]))
                    .failsWithin(PATIENCE)
                    .withThrowableThat()
                    .withCauseInstanceOf(CanceledException.class)
                    .withMessageContaining("went out of allowed");
            squaresStill(other);
        }
    }

    @Test
    void takesARequestInFragments() {
        try (BareRSocketClient other =
                connect(service, RSocketConnector.create().fragment(64))) {
            byte[] body = new byte[1000];
            // The number 3, and an unknown field of bytes.
            System.arraycopy(new byte[] {8, 3, 0x52, (byte) 0xE3, 7}, 0, body, 0, 5);
            isNine(other.send(false, body));
        }
    }

    @Test
    void answersToItsRoutesAndRefusesOthers() {
        isNine(client().send(Protocol.request(THREE, Protocol.SQUARE)));

        int ok = service.squares("ok");
        int invalid = service.squares("invalid");
        assertThat(client().send(Protocol.request(new byte[0], "health")))
                .succeedsWithin(PATIENCE)
                .satisfies(reply -> assertThat(reply.body()).isEmpty());
        assertThat(service.squares("ok")).isEqualTo(ok);
        assertThat(service.squares("invalid")).isEqualTo(invalid);

        isRefused(client().send(Protocol.request(THREE, "cube.unary")));
        isRefused(client().send(DefaultPayload.create(THREE, new byte[] {1, 2})));
        assertThat(service.squares("invalid")).isEqualTo(invalid + 2);
        squaresStill(requester);
    }

    /** The connection's setup did not say that metadata names a route. */
    @Test
    void doesNotLookAtMetadataOfAnotherKind() {
        try (BareRSocketClient other = connect(service, RSocketConnector.create())) {
            isNine(other.send(DefaultPayload.create(THREE, new byte[] {1, 2})));
        }
    }

    @Test
    void hasNoOtherInteractionAndGoesOn() {
        assertThat(client().rsocket()
                        .requestStream(DefaultPayload.create(THREE))
                        .then()
                        .toFuture())
                .failsWithin(PATIENCE)
                .withThrowableThat()
                .withCauseInstanceOf(ApplicationErrorException.class);
        client().rsocket().fireAndForget(DefaultPayload.create(THREE)).block(PATIENCE);
        client().rsocket()
                .metadataPush(DefaultPayload.create(new byte[0], THREE))
                .block(PATIENCE);
        squaresStill(requester);
    }

    @Test
    void endsAConnectionThatSpeaksNoRSocketAndServesOthers() throws IOException {
        for (byte[] sent : List.of(
                "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII),
                // A frame of 10 bytes and no type.
                new byte[] {0, 0, 10, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0})) {
            try (Socket socket = new Socket("127.0.0.1", service.port("rsocket"))) {
                socket.setSoTimeout((int) PATIENCE.toMillis());
                socket.getOutputStream().write(sent);
                socket.shutdownOutput();
                socket.getInputStream().readAllBytes();
            }
        }
        squaresStill(requester);
    }

    /** Netty's detector looks at every buffer, and logs those that were not released. */
    @Test
    void releasesWhatItIsSent() {
        Map<String, String> watched = Map.of("JAVA_TOOL_OPTIONS", "-Dio.netty.leakDetection.level=paranoid");
        try (ResponderProcess other = another("other-responder", Map.of(), watched);
                BareRSocketClient stranger = (BareRSocketClient) requester(other)) {
            for (int round = 0; round < 10; round++) {
                List<CompletableFuture<?>> answers = new ArrayList<>();
                for (int call = 1; call <= 500; call++) {
                    answers.add(stranger.ask(call));
                    answers.add(stranger.send(false, new byte[] {8, -1}));
                    answers.add(stranger.send(Protocol.request(THREE, Protocol.HEALTH)));
                    answers.add(stranger.send(Protocol.request(THREE, "cube.unary")));
                }
                await().atMost(PATIENCE).until(() -> answers.stream().allMatch(CompletableFuture::isDone));
            }
            assertThat(other.squares("ok")).isEqualTo(5_000);
            assertThat(other.squares("invalid")).isEqualTo(10_000);
            assertThat(other.logged("LEAK")).isZero();
        }
    }
}
