package dev.chatterbox.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.chatterbox.responder.PayloadChecks;
import dev.chatterbox.responder.Requester;
import dev.chatterbox.responder.ResponderDeviation;
import dev.chatterbox.responder.ResponderKit;
import dev.chatterbox.responder.ResponderProcess;
import dev.chatterbox.variants.ResponderProgram;
import java.io.IOException;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What holds for every responder over HTTP, in whatever language. */
public abstract class HttpResponderKit extends ResponderKit {

    private final String role;

    protected HttpResponderKit(Path folder, String name, Map<String, String> environment) {
        this(folder, name, environment, ResponderProgram.HTTP);
    }

    /** @param role of the port that takes requests */
    protected HttpResponderKit(Path folder, String name, Map<String, String> environment, String role) {
        super(folder, name, Map.of(), environment);
        this.role = role;
    }

    @Override
    protected Requester requester(ResponderProcess service) {
        return new BareHttpClient(service.uri(role, "/api/square/unary/"));
    }

    /** A connection to the port that takes requests. */
    protected final Socket connect() throws IOException {
        return new Socket("127.0.0.1", service.port(role));
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(service.uri(role, path));
    }

    final HttpResponse<String> get(String path) {
        return service.send(request(path).build());
    }

    protected final HttpResponse<String> post(String path, String contentType, String body) {
        return service.send(request(path)
                .header("Content-Type", contentType)
                .POST(BodyPublishers.ofString(body))
                .build());
    }

    static void isProblem(HttpResponse<String> response, int status, String... parts) {
        assertThat(response.statusCode()).isEqualTo(status);
        assertThat(response.headers().firstValue("content-type")).hasValue("application/problem+json");
        assertThat(members(response)).containsEntry("status", status);
        assertThat(members(response).get("detail")).asString().isNotBlank();
        assertThat(List.of(parts))
                .allSatisfy(part ->
                        assertThat((String) members(response).get("detail")).contains(part));
    }

    @Test
    protected void answersABareJsonNumber() {
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
        isProblem(get("/api/square/unary/" + number), 400, "1 to 2147483647", shown);
    }

    @Test
    void burnsAndWaitsAsTheQueryAsks() {
        assumeFalse(deviations().contains(ResponderDeviation.IGNORES_WORK));
        long start = System.nanoTime();
        HttpResponse<String> response = get("/api/square/unary/46341?burn=200us&wait=300ms");
        assertThat(response.body()).isEqualTo("2147488281");
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofMillis(300));
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
        assumeFalse(deviations().contains(ResponderDeviation.IGNORES_WORK));
        isProblem(get("/api/square/unary/3?" + query), 400, part);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/api/square/unary", "/api/square/unary/1/2", "/api/cube/unary/3"})
    void hasNothingElse(String path) {
        isProblem(get(path), 404);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "text/plain", "application/json"})
    void allowsOnlyGetOfANumber(String contentType) {
        HttpRequest.Builder number = request("/api/square/unary/3").POST(BodyPublishers.noBody());
        HttpResponse<String> response =
                service.send((contentType.isEmpty() ? number : number.header("Content-Type", contentType)).build());
        isProblem(response, 405);
        assertThat(response.headers().firstValue("allow")).hasValue("GET");
    }

    @Test
    void refusesAMessageThatIsTooLarge() {
        assumeTrue(this instanceof PayloadChecks, "it takes no message");
        HttpResponse<String> response = service.send(request("/api/square/unary")
                .header("Content-Type", "application/x-protobuf")
                .POST(BodyPublishers.ofByteArray(new byte[(4 << 20) + 1]))
                .build());
        isProblem(response, 400);
        assertThat(members(response).get("detail")).isEqualTo("the body must be 4194304 bytes at the most");
    }

    @Test
    void survivesABrokenPercentSign() throws IOException {
        try (Socket socket = connect()) {
            socket.getOutputStream()
                    .write("GET /api/square/unary/%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".getBytes());
            assertThat(new String(socket.getInputStream().readAllBytes())).startsWith("HTTP/1.1 400");
        }
    }
}
