package dev.chatterbox.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatterbox.responder.ActuatorChecks;
import dev.chatterbox.responder.BatchChecks;
import dev.chatterbox.responder.MutationChecks;
import dev.chatterbox.responder.PayloadChecks;
import dev.chatterbox.responder.Requester;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RestResponderIT extends RestResponderKit implements ActuatorChecks, PayloadChecks, BatchChecks, MutationChecks {

    RestResponderIT() {
        super(Path.of(""), "square-service-rest", Map.of());
    }

    /** More than the responder reads. */
    @Override
    public int largestBody() {
        return 5_000_000;
    }

    /** So few because the JDK's client sends one request at a time over a connection, 1,300 a second. */
    @Override
    public int messages() {
        return 20_000;
    }

    private HttpResponse<String> post(String path, String contentType, String body) {
        return service.send(HttpRequest.newBuilder(service.uri(path))
                .header("Content-Type", contentType)
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[1]|[1]",
                "[3,1,46341]|[9,1,2147488281]",
                "[ 2147483647 , 2 ]|[4611686014132420609,4]",
                "[3,3]|[9,9]"
            })
    void answersAJsonArrayOfNumbersWithOneOfSquares(String numbers, String squares) {
        HttpResponse<String> response = post("/api/square/batch", "application/json", numbers);
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.headers().firstValue("content-type")).hasValue("application/json");
        assertThat(response.body()).isEqualTo(squares);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "null",
                "[]",
                "3",
                "[3",
                "[3]x",
                "[1.5]",
                "[3.0]",
                "[\"3\"]",
                "[null]",
                "[true]",
                "[[3]]",
                "{}",
                "[2147483648]",
                "[0]",
                "[3,-1]",
                "[1e400]"
            })
    void refusesWhatIsNoJsonArrayOfNumbers(String body) {
        HttpResponse<String> response = post("/api/square/batch", "application/json", body);
        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(response.headers().firstValue("content-type")).hasValue("application/problem+json");
        assertThat(members(response).get("detail")).asString().isNotBlank();
        assertThat(ask(3)).succeedsWithin(PATIENCE).isEqualTo(Requester.Answer.square(9));
    }

    @ParameterizedTest
    @CsvSource({
        "/api/square/batch,text/plain,415",
        "/api/square/unary,application/json,415",
        "/api/square/unary/3,text/plain,405"
    })
    void takesOnlyWhatItReads(String path, String contentType, int status) {
        assertThat(post(path, contentType, "[3]").statusCode()).isEqualTo(status);
        assertThat(service.get("/api/square/batch").statusCode()).isEqualTo(405);
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
        HttpResponse<String> response = post("/api/square/stream", "application/x-ndjson", numbers.replace(';', '\n'));
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
        HttpResponse<String> response = post("/api/square/stream", "application/x-ndjson", "3\n" + bad + "\n4\nfive\n");
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
        try (Socket socket = new Socket("127.0.0.1", service.port("http"))) {
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
        assertThat(post("/api/square/stream", "application/x-ndjson", "3\n4\n").body())
                .isEqualTo("{\"3\":10}\n{\"4\":17}\n");
        assertThat(service.squares("wrong")).isEqualTo(wrong + 2);
        fails("{\"wrong\":0,\"delay\":\"0ms\",\"drop\":1}");
        assertThat(post("/api/square/stream", "application/x-ndjson", "3\n4\n").body())
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"batch|application/json|[3,4]|[9,16]", "stream|application/x-ndjson|3;4|{\"3\":9};{\"4\":16};"})
    void burnsAndWaitsForEachNumberAsTheQueryAsks(String mode, String type, String body, String answer) {
        long start = System.nanoTime();
        HttpResponse<String> response =
                post("/api/square/" + mode + "?burn=200us&wait=300ms", type, body.replace(';', '\n'));
        assertThat(response.body()).isEqualTo(answer.replace(';', '\n'));
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofMillis(300));

        int invalid = service.squares("invalid");
        HttpResponse<String> refusal = post("/api/square/" + mode + "?wait=2s", type, body.replace(';', '\n'));
        assertThat(refusal.statusCode()).isEqualTo(400);
        assertThat(members(refusal).get("detail")).asString().contains("wait must be 0us to 1s");
        assertThat(service.squares("invalid")).isEqualTo(invalid + 1);
    }

    @Test
    void refusesABodyThatIsTooLargeAndGoesOn() {
        HttpResponse<String> response =
                post("/api/square/batch", "application/json", "[" + " ".repeat(5_000_000) + "3]");
        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(members(response).get("detail")).isEqualTo("the body must be 4194304 bytes at the most");
        assertThat(ask(3)).succeedsWithin(PATIENCE).isEqualTo(Requester.Answer.square(9));
    }
}
