package dev.chatterbox.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.chatterbox.responder.PayloadChecks;
import dev.chatterbox.responder.Requester;
import dev.chatterbox.responder.ResponderDeviation;
import dev.chatterbox.responder.ResponderKit;
import dev.chatterbox.responder.ResponderProcess;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What holds for every responder over REST, in whatever language. */
public abstract class RestResponderKit extends ResponderKit {

    protected RestResponderKit(Path folder, String name, Map<String, String> environment) {
        super(folder, name, Map.of(), environment);
    }

    @Override
    protected Requester requester(ResponderProcess service) {
        return new BareHttpClient(service.uri("/api/square/unary/"));
    }

    @Test
    void answersABareJsonNumber() {
        HttpResponse<String> response = service.get("/api/square/unary/46341");
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
                "99999999999999999999, '99999999999999999999'",
                "0x10, '0x10'",
                "+5, '+5'",
                "007, '007'",
                "%D9%A5, '٥'",
                "%205, ' 5'",
                "\"\", ''",
            })
    void namesTheRangeAndTheValueOfABadNumber(String number, String shown) {
        HttpResponse<String> response = service.get("/api/square/unary/" + number);
        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(response.headers().firstValue("content-type")).hasValue("application/problem+json");
        assertThat(members(response)).containsEntry("status", 400);
        assertThat(members(response).get("detail")).asString().contains("1 to 2147483647", shown);
    }

    @Test
    void burnsAndWaitsAsTheQueryAsks() {
        assumeFalse(deviations().contains(ResponderDeviation.IGNORES_WORK));
        long start = System.nanoTime();
        HttpResponse<String> response = service.get("/api/square/unary/46341?burn=200us&wait=300ms");
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
        HttpResponse<String> response = service.get("/api/square/unary/3?" + query);
        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(response.headers().firstValue("content-type")).hasValue("application/problem+json");
        assertThat(members(response).get("detail")).asString().contains(part);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/api/square/unary", "/api/square/unary/1/2", "/api/cube/unary/3"})
    void hasNothingElse(String path) {
        HttpResponse<String> response = service.get(path);
        assertThat(response.statusCode()).isEqualTo(404);
        assertThat(response.headers().firstValue("content-type")).hasValue("application/problem+json");
    }

    @Test
    void allowsOnlyGet() {
        HttpResponse<String> response = service.send(HttpRequest.newBuilder(service.uri("/api/square/unary/3"))
                .POST(HttpRequest.BodyPublishers.noBody())
                .build());
        assertThat(response.statusCode()).isEqualTo(405);
        assertThat(response.headers().firstValue("allow")).hasValue("GET");
        assertThat(response.headers().firstValue("content-type")).hasValue("application/problem+json");
    }

    @Test
    void refusesAMessageThatIsTooLarge() {
        assumeTrue(this instanceof PayloadChecks, "it takes no message");
        HttpResponse<String> response = service.send(HttpRequest.newBuilder(service.uri("/api/square/unary"))
                .header("Content-Type", "application/x-protobuf")
                .POST(HttpRequest.BodyPublishers.ofByteArray(new byte[(4 << 20) + 1]))
                .build());
        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(members(response).get("detail")).isEqualTo("the body must be 4194304 bytes at the most");
    }

    @Test
    void survivesABrokenPercentSign() throws Exception {
        try (var socket = new java.net.Socket("127.0.0.1", service.uri("/").getPort())) {
            socket.getOutputStream()
                    .write("GET /api/square/unary/%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".getBytes());
            assertThat(new String(socket.getInputStream().readAllBytes())).startsWith("HTTP/1.1 400");
        }
    }
}
