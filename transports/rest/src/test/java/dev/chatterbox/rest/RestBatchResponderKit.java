package dev.chatterbox.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatterbox.responder.ActuatorChecks;
import dev.chatterbox.responder.BatchChecks;
import dev.chatterbox.responder.MutationChecks;
import dev.chatterbox.responder.PayloadChecks;
import dev.chatterbox.responder.Requester;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What holds for every responder over REST that takes batches and payloads, by whatever library. */
abstract class RestBatchResponderKit extends RestResponderKit
        implements ActuatorChecks, PayloadChecks, BatchChecks, MutationChecks {

    RestBatchResponderKit(String name) {
        super(Path.of(""), name, Map.of());
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

    final HttpResponse<String> post(String path, String contentType, String body) {
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

    @Test
    void burnsAndWaitsForEachNumberOfABatchAsTheQueryAsks() {
        burnsAndWaitsForEachNumber("batch", "application/json", "[3,4]", "[9,16]");
    }

    final void burnsAndWaitsForEachNumber(String mode, String type, String body, String answer) {
        long start = System.nanoTime();
        HttpResponse<String> response = post("/api/square/" + mode + "?burn=200us&wait=300ms", type, body);
        assertThat(response.body()).isEqualTo(answer);
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofMillis(300));

        int invalid = service.squares("invalid");
        HttpResponse<String> refusal = post("/api/square/" + mode + "?wait=2s", type, body);
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
