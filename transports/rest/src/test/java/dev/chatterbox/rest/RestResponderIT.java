package dev.chatterbox.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatterbox.http.HttpBatchResponderKit;
import dev.chatterbox.responder.Requester;
import dev.chatterbox.variants.ResponderProgram;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RestResponderIT extends HttpBatchResponderKit {

    private static final String STREAM = "/api/square/stream";
    private static final String LINES = "application/x-ndjson";

    RestResponderIT() {
        super("square-service-rest", ResponderProgram.HTTP);
    }

    /** So few because the JDK's client sends one request at a time over a connection, 1,300 a second. */
    @Override
    public int messages() {
        return 20_000;
    }

    private HttpResponse<String> post(String lines) {
        return post(STREAM, LINES, lines);
    }

    @Test
    void takesOnlyPostsOfLines() {
        assertThat(post(STREAM, "text/plain", "3").statusCode()).isEqualTo(415);
        assertThat(service.get(STREAM).statusCode()).isEqualTo(405);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            emptyValue = "",
            value = {
                "3;1;46341;|{'3':9};{'1':1};{'46341':2147488281};",
                "3;;4|{'3':9};{'4':16};",
                "\"\"|\"\"",
            },
            quoteCharacter = '"')
    void answersALineForEachNumberOfAStream(String numbers, String lines) {
        HttpResponse<String> response = post(numbers.replace(';', '\n'));
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.headers().firstValue("content-type")).hasValue("application/x-ndjson");
        assertThat(response.body()).isEqualTo(lines.replace(';', '\n').replace('\'', '"'));
    }

    /** Lines before the wrong one are answered; lines after it are not even counted. */
    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "1.5", "three", "2147483648", "{}"})
    void aBadLineIsAnErrorAndTheLast(String bad) {
        int ok = service.squares("ok");
        int invalid = service.squares("invalid");
        HttpResponse<String> response = post("3\n" + bad + "\n4\nfive\n");
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body().lines())
                .satisfiesExactly(
                        right -> assertThat(right).isEqualTo("{\"3\":9}"),
                        error -> assertThat(error)
                                .startsWith("{\"error\":{")
                                .contains("1 to 2147483647", bad, "\"status\":400")
                                .endsWith("}}"));
        assertThat(service.squares("ok")).isEqualTo(ok + 1);
        assertThat(service.squares("invalid")).isEqualTo(invalid + 1);
        assertThat(ask(3)).succeedsWithin(PATIENCE).isEqualTo(Requester.Answer.square(9));
    }

    @Test
    void answersTheLinesOfAStreamWhileItIsStillBeingSent() throws Exception {
        try (Socket socket = connect()) {
            OutputStream to = socket.getOutputStream();
            BufferedReader from = new BufferedReader(new InputStreamReader(socket.getInputStream()));
            to.write(("POST /api/square/stream HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-ndjson\r\n"
                            + "Transfer-Encoding: chunked\r\n\r\n4\r\n3\n4\n\r\n3\r\n5\n4\r\n")
                    .getBytes());
            // The last number is incomplete.
            assertThat(line(from)).isEqualTo("{\"3\":9}");
            assertThat(line(from)).isEqualTo("{\"4\":16}");
            assertThat(line(from)).isEqualTo("{\"5\":25}");
            to.write("2\r\n1\n\r\n0\r\n\r\n".getBytes());
            assertThat(line(from)).isEqualTo("{\"41\":1681}");
        }
    }

    /** The next line of what is answered, without the head and the chunks' lengths. */
    private static String line(BufferedReader from) throws IOException {
        String line = from.readLine();
        while (line != null && !line.startsWith("{")) {
            line = from.readLine();
        }
        return line;
    }

    @Test
    void faultsHitSingleLinesOfAStream() {
        int wrong = service.squares("wrong");
        fails("{\"wrong\":1,\"delay\":\"100ms\"}");
        assertThat(post("3\n4\n").body()).isEqualTo("{\"3\":10}\n{\"4\":17}\n");
        assertThat(service.squares("wrong")).isEqualTo(wrong + 2);
        fails("{\"wrong\":0,\"delay\":\"0ms\",\"drop\":1}");
        assertThat(post("3\n4\n").body()).isEmpty();
    }

    @Test
    void burnsAndWaitsForEachLineAsTheQueryAsks() {
        long start = System.nanoTime();
        assertThat(post(STREAM + "?burn=200us&wait=300ms", LINES, "3\n4\n").body())
                .isEqualTo("{\"3\":9}\n{\"4\":16}\n");
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofMillis(300));

        int invalid = service.squares("invalid");
        HttpResponse<String> refusal = post(STREAM + "?wait=2s", LINES, "3\n4\n");
        assertThat(refusal.statusCode()).isEqualTo(400);
        assertThat(members(refusal).get("detail")).asString().contains("wait must be 0us to 1s");
        assertThat(service.squares("invalid")).isEqualTo(invalid + 1);
    }
}
