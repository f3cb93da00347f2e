package dev.chatterbox.vertx;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatterbox.http.HttpBatchResponderKit;
import dev.chatterbox.responder.Requester;
import dev.chatterbox.responder.ResponderProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The kit over HTTP/2, and what is read and written by hand over HTTP/1.1. */
@Tag("kit")
class VertxResponderIT extends HttpBatchResponderKit {

    VertxResponderIT() {
        super("square-service-vertx", "vertx");
    }

    @Override
    public int messages() {
        return 5_000;
    }

    @Override
    protected Requester requester(ResponderProcess service) {
        return BareVertxClient.connect(service.port("vertx"));
    }

    @Test
    void answersWhatItTookBeforeItStops() {
        answersWhatItTookBeforeItStops(VertxResponderIT::awaitArrivals);
    }

    /** The server reads the requests of a connection in their order. */
    private static void awaitArrivals(Requester requester) {
        assertThat(((BareVertxClient) requester).get("/"))
                .succeedsWithin(PATIENCE)
                .satisfies(reply -> assertThat(reply.code()).isEqualTo(404));
    }

    /** Also if the answers are delayed. */
    @ParameterizedTest
    @ValueSource(strings = {"0ms", "100ms"})
    void answersPipelinedRequestsInTheirOrder(String delay) throws IOException {
        fails("{\"delay\":\"" + delay + "\"}");
        try (Socket socket = connect()) {
            StringBuilder requests = new StringBuilder();
            for (int number : List.of(3, 0, 5)) {
                requests.append("GET /api/square/unary/%d HTTP/1.1\r\nHost: x\r\n\r\n".formatted(number));
            }
            socket.getOutputStream().write(requests.toString().getBytes(StandardCharsets.US_ASCII));
            BufferedReader answers = new BufferedReader(new InputStreamReader(socket.getInputStream()));
            assertThat(body(answers)).isEqualTo("9");
            assertThat(body(answers)).contains("\"status\":400");
            assertThat(body(answers)).isEqualTo("25");
        }
    }

    /** The body of the next response, whose length its head says. */
    private static String body(BufferedReader responses) throws IOException {
        int length = 0;
        for (String line = responses.readLine(); !line.isEmpty(); line = responses.readLine()) {
            if (line.startsWith("content-length:")) {
                length = Integer.parseInt(
                        line.substring("content-length:".length()).strip());
            }
        }
        char[] body = new char[length];
        for (int read = 0; read < length; ) {
            read += responses.read(body, read, length - read);
        }
        return new String(body);
    }
}
