package dev.chatterbox.square.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatterbox.square.common.ActuatorChecks;
import dev.chatterbox.square.common.BatchChecks;
import dev.chatterbox.square.common.PayloadChecks;
import dev.chatterbox.square.common.Requester;
import dev.chatterbox.square.common.ResponderProcess;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RestResponderIT extends RestResponderKit implements ActuatorChecks, PayloadChecks, BatchChecks {

    RestResponderIT() {
        super(Path.of(""), "square-service-rest", Map.of());
    }

    @Override
    public ResponderProcess service() {
        return service;
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
            value = {"[1]|[1]", "[3,1,46341]|[9,1,2147488281]", "[ 2147483647 , 2 ]|[4611686014132420609,4]", "[3,3]|[9,9]"})
    void answersAJsonArrayOfNumbersWithOneOfSquares(String numbers, String squares) {
        HttpResponse<String> response = post("/api/square/batch", "application/json", numbers);
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.headers().firstValue("content-type")).hasValue("application/json");
        assertThat(response.body()).isEqualTo(squares);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "", "null", "[]", "3", "[3", "[3]x", "[1.5]", "[3.0]", "[\"3\"]", "[null]", "[true]", "[[3]]", "{}",
                "[2147483648]", "[0]", "[3,-1]", "[1e400]"
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
        "/api/square/batch,text/plain,415", "/api/square/unary,application/json,415", "/api/square/unary/3,text/plain,405"
    })
    void takesOnlyWhatItReads(String path, String contentType, int status) {
        assertThat(post(path, contentType, "[3]").statusCode()).isEqualTo(status);
        assertThat(service.get("/api/square/batch").statusCode()).isEqualTo(405);
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
