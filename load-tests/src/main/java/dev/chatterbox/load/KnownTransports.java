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

    static List<String> up(String baseUrl) {
        try {
            HttpRequest request = HttpRequest.newBuilder(URI.create(baseUrl + "/transports"))
                    .timeout(TIMEOUT)
                    .build();
            HttpResponse<String> response = HttpClient.newBuilder()
                    .connectTimeout(TIMEOUT)
                    .build()
                    .send(request, HttpResponse.BodyHandlers.ofString());
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
