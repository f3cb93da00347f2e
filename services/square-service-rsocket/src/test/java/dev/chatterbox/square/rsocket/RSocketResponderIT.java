package dev.chatterbox.square.rsocket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.chatterbox.square.common.ActuatorChecks;
import dev.chatterbox.square.common.Requester;
import dev.chatterbox.square.common.ResponderKit;
import dev.chatterbox.square.common.ResponderProcess;
import dev.chatterbox.square.common.Wire;
import io.rsocket.core.RSocketConnector;
import io.rsocket.exceptions.ApplicationErrorException;
import io.rsocket.exceptions.CanceledException;
import io.rsocket.exceptions.InvalidException;
import io.rsocket.util.DefaultPayload;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("long")
class RSocketResponderIT extends ResponderKit implements ActuatorChecks {

    private static final byte[] THREE = Wire.input(3);
    private static final int MEGABYTE = 1 << 20;

    RSocketResponderIT() {
        super(Path.of(""), "square-service-rsocket", Map.of(), Map.of());
    }

    @Override
    protected Requester requester(ResponderProcess service) {
        return BareRSocketClient.connect(service.port("rsocket"));
    }

    @Override
    public ResponderProcess service() {
        return service;
    }

    private BareRSocketClient client() {
        return (BareRSocketClient) requester;
    }

    static List<byte[]> bodiesThatAreNoRequest() {
        return List.of(
                new byte[] {(byte) 0xFF, 1, 2},
                "5".getBytes(StandardCharsets.US_ASCII),
                new byte[0],
                // A field that nobody knows, and no number.
                new byte[] {0x18, 5},
                // One frame.
                new byte[15 * MEGABYTE]);
    }

    @ParameterizedTest
    @MethodSource("bodiesThatAreNoRequest")
    void refusesAndCountsWhatIsNoRequestAndGoesOn(byte[] body) {
        int invalid = service.squares("invalid");

        isInvalid(client().send(body));

        assertThat(service.squares("invalid")).isEqualTo(invalid + 1);
        squaresStill();
    }

    private static void isInvalid(CompletableFuture<byte[]> answer) {
        assertThat(answer)
                .failsWithin(PATIENCE)
                .withThrowableThat()
                .satisfies(error -> assertThat(error.getCause())
                        .isInstanceOfSatisfying(
                                InvalidException.class,
                                invalid -> assertThat(invalid.getMessage()).isNotBlank()));
    }

    private void squaresStill() {
        assertThat(ask(3)).succeedsWithin(PATIENCE).isEqualTo(Requester.Answer.square(9));
    }

    /** The library refuses what is more than a frame before the service sees it. */
    @Test
    void refusesARequestThatIsTooLargeAndGoesOn() {
        try (BareRSocketClient other =
                BareRSocketClient.connect(RSocketConnector.create().fragment(MEGABYTE), service.port("rsocket"))) {
            assertThat(other.send(new byte[20 * MEGABYTE]))
                    .failsWithin(PATIENCE)
                    .withThrowableThat()
                    .withCauseInstanceOf(CanceledException.class)
                    .withMessageContaining("went out of allowed");
            assertThat(other.ask(3)).succeedsWithin(PATIENCE).isEqualTo(Requester.Answer.square(9));
        }
    }

    @Test
    void takesARequestInFragments() {
        try (BareRSocketClient other =
                BareRSocketClient.connect(RSocketConnector.create().fragment(64), service.port("rsocket"))) {
            byte[] body = new byte[1000];
            // The number 3, and a field of bytes that nobody knows.
            System.arraycopy(new byte[] {8, 3, 0x52, (byte) 0xE3, 7}, 0, body, 0, 5);
            assertThat(other.send(body))
                    .succeedsWithin(PATIENCE)
                    .satisfies(reply -> assertThat(Wire.output(reply, 3)).isEqualTo(Requester.Answer.square(9)));
        }
    }

    @Test
    void answersToItsRoutesAndRefusesOthers() {
        try (BareRSocketClient other = BareRSocketClient.routed(service.port("rsocket"))) {
            assertThat(other.send(THREE, BareRSocketClient.route("square.unary")))
                    .succeedsWithin(PATIENCE)
                    .satisfies(reply -> assertThat(Wire.output(reply, 3)).isEqualTo(Requester.Answer.square(9)));

            int ok = service.squares("ok");
            int invalid = service.squares("invalid");
            assertThat(other.send(new byte[0], BareRSocketClient.route("health")))
                    .succeedsWithin(PATIENCE)
                    .isEqualTo(new byte[0]);
            assertThat(service.squares("ok")).isEqualTo(ok);
            assertThat(service.squares("invalid")).isEqualTo(invalid);

            isInvalid(other.send(THREE, BareRSocketClient.route("cube.unary")));
            isInvalid(other.send(THREE, new byte[] {1, 2}));
            assertThat(service.squares("invalid")).isEqualTo(invalid + 2);
            assertThat(other.ask(3)).succeedsWithin(PATIENCE).isEqualTo(Requester.Answer.square(9));
        }
    }

    /** Nobody said that it names a route. */
    @Test
    void doesNotLookAtMetadataOfAnotherKind() {
        assertThat(client().send(THREE, new byte[] {1, 2}))
                .succeedsWithin(PATIENCE)
                .satisfies(reply -> assertThat(Wire.output(reply, 3)).isEqualTo(Requester.Answer.square(9)));
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
        squaresStill();
    }

    @Test
    void endsAConnectionThatSpeaksNoRSocketAndServesOthers() throws IOException {
        for (byte[] words : List.of(
                "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII),
                // A frame of 10 bytes and no type.
                new byte[] {0, 0, 10, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0})) {
            try (Socket socket = new Socket("127.0.0.1", service.port("rsocket"))) {
                socket.setSoTimeout((int) PATIENCE.toMillis());
                socket.getOutputStream().write(words);
                socket.shutdownOutput();
                socket.getInputStream().readAllBytes();
            }
        }
        squaresStill();
    }

    @Test
    void answersWhatItTookBeforeItStops() {
        Map<String, String> late = Map.of("CHATTERBOX_FAULTS_DELAY", "500ms");
        try (ResponderProcess other = another("other-responder", Map.of(), late);
                BareRSocketClient stranger = BareRSocketClient.routed(other.port("rsocket"))) {
            List<CompletableFuture<Requester.Answer>> answers =
                    IntStream.rangeClosed(1, 100).mapToObj(stranger::ask).toList();
            // It comes after them on the same connection.
            assertThat(stranger.send(new byte[0], BareRSocketClient.route("health")))
                    .succeedsWithin(PATIENCE);

            other.close();

            assertThat(answers).allSatisfy(answer -> assertThat(answer).isCompleted());
            assertThat(other.logged("were not answered")).isZero();
        }
    }

    /** Netty's detector looks at every buffer, and tells in the log of those that were not released. */
    @Test
    void releasesWhatItIsSent() {
        Map<String, String> watched = Map.of("JAVA_TOOL_OPTIONS", "-Dio.netty.leakDetection.level=paranoid");
        try (ResponderProcess other = another("other-responder", Map.of(), watched);
                BareRSocketClient stranger = BareRSocketClient.routed(other.port("rsocket"))) {
            for (int round = 0; round < 10; round++) {
                List<CompletableFuture<?>> answers = new ArrayList<>();
                for (int call = 1; call <= 500; call++) {
                    answers.add(stranger.ask(call));
                    answers.add(stranger.send(new byte[] {8, -1}));
                    answers.add(stranger.send(THREE, BareRSocketClient.route("health")));
                    answers.add(stranger.send(THREE, BareRSocketClient.route("cube.unary")));
                }
                await().atMost(PATIENCE).until(() -> answers.stream().allMatch(CompletableFuture::isDone));
            }
            assertThat(other.squares("ok")).isEqualTo(5_000);
            assertThat(other.squares("invalid")).isEqualTo(10_000);
            assertThat(other.logged("LEAK")).isZero();
        }
    }
}
