package dev.chatterbox.load;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.chatterbox.workloads.WorkloadException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Asks an aggregator for its transports. */
final class KnownTransports {

    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private KnownTransports() {}

    /** @param authorization the header of this name; empty for none */
    static List<String> up(String baseUrl, String authorization) {
        try {
            HttpRequest.Builder request =
                    HttpRequest.newBuilder(URI.create(baseUrl + "/transports")).timeout(TIMEOUT);
            if (!authorization.isEmpty()) {
                request.header("Authorization", authorization);
            }
            HttpResponse<String> response = HttpClient.newBuilder()
                    .connectTimeout(TIMEOUT)
                    .build()
                    .send(request.build(), HttpResponse.BodyHandlers.ofString());
            if (response.statusCode() != 200) {
                throw new IOException("its answer has the status " + response.statusCode());
            }
            List<String> names = new ArrayList<>();
            for (JsonNode transport : new ObjectMapper().readTree(response.body())) {
                if (transport.path("state").asText().equals("up")) {
                    names.add(transport.path("name").asText());
                }
            }
            return names;
        } catch (IOException | IllegalArgumentException e) {
            throw new WorkloadException(
                    "transport must be named, for %s/transports does not name them: %s".formatted(baseUrl, e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new WorkloadException("interrupted");
        }
    }
}
