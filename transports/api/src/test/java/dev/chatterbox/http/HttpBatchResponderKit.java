package dev.chatterbox.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatterbox.responder.ActuatorChecks;
import dev.chatterbox.responder.BatchChecks;
import dev.chatterbox.responder.MutationChecks;
import dev.chatterbox.responder.PayloadChecks;
import dev.chatterbox.responder.RefusalChecks;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Further checks, of our responders over HTTP in Java, which take batches as arrays of numbers and as protobuf. */
public abstract class HttpBatchResponderKit extends HttpResponderKit
        implements ActuatorChecks, PayloadChecks, BatchChecks, MutationChecks, RefusalChecks {

    private static final String BATCH = "/api/square/batch";
    private static final String JSON = "application/json";

    /** @param role of the port that takes requests */
    protected HttpBatchResponderKit(String name, String role) {
        super(Path.of(""), name, Map.of(), role);
    }

    /** More than the responder reads. */
    @Override
    public int largestBody() {
        return 5_000_000;
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
        HttpResponse<String> response = post(BATCH, contentType, numbers);
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.headers().firstValue("content-type")).hasValue(JSON);
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
        isProblem(post(BATCH, JSON, body), 400);
        squaresStill(requester);
    }

    @ParameterizedTest
    @CsvSource({"/api/square/batch,text/plain", "/api/square/unary,application/json"})
    void takesOnlyWhatItReads(String path, String contentType) {
        isProblem(post(path, contentType, "[3]"), 415);
    }

    @Test
    void allowsOnlyPostOfABatch() {
        HttpResponse<String> response = get(BATCH);
        isProblem(response, 405);
        assertThat(response.headers().firstValue("allow")).hasValue("POST");
    }

    @Test
    void burnsAndWaitsForABatchAsTheQueryAsks() {
        long start = System.nanoTime();
        assertThat(post(BATCH + "?burn=200us&wait=300ms", JSON, "[3,4]").body()).isEqualTo("[9,16]");
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofMillis(300));

        int invalid = service.squares("invalid");
        isProblem(post(BATCH + "?wait=2s", JSON, "[3,4]"), 400, "wait must be 0us to 1s");
        isProblem(post(BATCH + "?burn=10001us", JSON, "[3,4]"), 400, "burn must be 0us to 10ms");
        assertThat(service.squares("invalid")).isEqualTo(invalid + 2);
    }

    @Test
    void refusesABodyThatIsTooLargeAndGoesOn() {
        HttpResponse<String> response = post(BATCH, JSON, "[" + " ".repeat(5_000_000) + "3]");
        isProblem(response, 400);
        assertThat(members(response).get("detail")).isEqualTo("the body must be 4194304 bytes at the most");
        squaresStill(requester);
    }
}
