package dev.chatterbox.vertx;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatterbox.responder.BatchChecks;
import dev.chatterbox.responder.DirectResponderKit;
import dev.chatterbox.responder.MutationChecks;
import dev.chatterbox.responder.PayloadChecks;
import dev.chatterbox.responder.Requester;
import dev.chatterbox.responder.ResponderProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The kit over HTTP/2, and what is read and written by hand over HTTP/1.1. */
@Tag("kit")
class VertxResponderIT extends DirectResponderKit implements PayloadChecks, BatchChecks, MutationChecks {

    VertxResponderIT() {
        super("square-service-vertx");
    }

    /** More than the responder reads. */
    @Override
    public int largestBody() {
        return 5_000_000;
    }

    @Override
    public int messages() {
        return 5_000;
    }

    @Override
    protected Requester requester(ResponderProcess service) {
        return BareVertxClient.connect(service.port("vertx"));
    }

    /** The server reads the requests of a connection in their order. */
    @Override
    protected void awaitArrivals(Requester requester) {
        assertThat(((BareVertxClient) requester).get("/"))
                .succeedsWithin(PATIENCE)
                .satisfies(reply -> assertThat(reply.code()).isEqualTo(404));
    }

    private HttpResponse<String> get(String path) {
        return service.send(HttpRequest.newBuilder(uri(path)).build());
    }

    private HttpResponse<String> post(String path, String contentType, String body) {
        return service.send(HttpRequest.newBuilder(uri(path))
                .header("Content-Type", contentType)
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build());
    }

    private URI uri(String path) {
        return URI.create("http://127.0.0.1:" + service.port("vertx") + path);
    }

    @Test
    void answersABareJsonNumber() {
        HttpResponse<String> response = get("/api/square/unary/46341");
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.headers().firstValue("content-type")).hasValue("application/json");
        assertThat(response.headers().firstValue("content-length")).hasValue("10");
        assertThat(response.body()).isEqualTo("2147488281");
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            value = {
                "0, '0'",
                "-1, '-1'",
                "1.5, '1.5'",
                "abc, 'abc'",
                "2147483648, '2147483648'",
                "9999999999, '9999999999'",
                "99999999999999999999, '99999999999999999999'",
                "0x10, '0x10'",
                "+5, '+5'",
                "007, '007'",
                "%D9%A5, '٥'",
                "%205, ' 5'",
                "\"\", ''",
            })
    void namesTheRangeAndTheValueOfABadNumber(String number, String shown) {
        HttpResponse<String> response = get("/api/square/unary/" + number);
        isProblem(response, 400);
        assertThat(members(response).get("detail")).asString().contains("1 to 2147483647", shown);
    }

    private static void isProblem(HttpResponse<String> response, int status) {
        assertThat(response.statusCode()).isEqualTo(status);
        assertThat(response.headers().firstValue("content-type")).hasValue("application/problem+json");
        assertThat(members(response)).containsEntry("status", status).containsKey("detail");
    }

    @Test
    void burnsAndWaitsAsTheQueryAsks() {
        String query = "?burn=200us&wait=300ms";
        long start = System.nanoTime();
        assertThat(get("/api/square/unary/3" + query).body()).isEqualTo("9");
        assertThat(post("/api/square/batch" + query, "application/json", "[3,4]")
                        .body())
                .isEqualTo("[9,16]");
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofMillis(600));
    }

    @ParameterizedTest
    @CsvSource({
        "burn=10001us, burn must be 0us to 10ms",
        "burn=, burn must be 0us to 10ms",
        "wait=5, it is '5'",
        "wait=-1ms, it is '-1ms'",
        "burn=1ms&wait=2s, wait must be 0us to 1s"
    })
    void namesTheRangeOfWorkThatCannotBe(String query, String part) {
        HttpResponse<String> number = get("/api/square/unary/3?" + query);
        HttpResponse<String> batch = post("/api/square/batch?" + query, "application/json", "[3,4]");
        assertThat(List.of(number, batch)).allSatisfy(response -> {
            isProblem(response, 400);
            assertThat(members(response).get("detail")).asString().contains(part);
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/api/square/unary", "/api/square/unary/1/2", "/api/cube/unary/3"})
    void hasNothingElse(String path) {
        isProblem(get(path), 404);
    }

    @ParameterizedTest
    @CsvSource({
        "/api/square/batch,text/plain,415",
        "/api/square/unary,application/json,415",
        "/api/square/unary/3,application/json,405"
    })
    void takesOnlyWhatItReads(String path, String contentType, int status) {
        isProblem(post(path, contentType, "[3]"), status);
    }

    @Test
    void namesTheMethodThatIsAllowed() {
        assertThat(post("/api/square/unary/3", "text/plain", "").headers().firstValue("allow"))
                .hasValue("GET");
        HttpResponse<String> response = get("/api/square/batch");
        isProblem(response, 405);
        assertThat(response.headers().firstValue("allow")).hasValue("POST");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "application/json|[1]|[1]",
                "application/json|[3,1,46341]|[9,1,2147488281]",
                "application/json; charset=utf-8|[ 2147483647 , 2 ]|[4611686014132420609,4]",
                "Application/JSON|[3,3]|[9,9]"
            })
    void answersAJsonArrayOfNumbersWithOneOfSquares(String contentType, String numbers, String squares) {
        HttpResponse<String> response = post("/api/square/batch", contentType, numbers);
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
                "[9223372036854775808]",
                "[0]",
                "[3,-1]",
                "[1e400]"
            })
    void refusesWhatIsNoJsonArrayOfNumbers(String body) {
        isProblem(post("/api/square/batch", "application/json", body), 400);
        squaresStill(requester);
    }

    @Test
    void refusesABodyThatIsTooLargeAndGoesOn() {
        HttpResponse<String> response =
                post("/api/square/batch", "application/json", "[" + " ".repeat(5_000_000) + "3]");
        isProblem(response, 400);
        assertThat(members(response).get("detail")).isEqualTo("the body must be 4194304 bytes at the most");
        squaresStill(requester);
    }

    @Test
    void survivesABrokenPercentSign() throws IOException {
        try (Socket socket = new Socket("127.0.0.1", service.port("vertx"))) {
            socket.getOutputStream()
                    .write("GET /api/square/unary/%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".getBytes());
            assertThat(new String(socket.getInputStream().readAllBytes())).startsWith("HTTP/1.1 400");
        }
    }

    /** Also if the answers are delayed. */
    @ParameterizedTest
    @ValueSource(strings = {"0ms", "100ms"})
    void answersPipelinedRequestsInTheirOrder(String delay) throws IOException {
        fails("{\"delay\":\"" + delay + "\"}");
        try (Socket socket = new Socket("127.0.0.1", service.port("vertx"))) {
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
