package dev.chatterbox.processes;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/** Asks the services of this machine. */
public final class LocalHttp {

    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private static final HttpClient CLIENT = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(TIMEOUT)
            .build();

    private LocalHttp() {}

    public record Answer(int status, String body) {}

    /** Asks for at most five seconds: for what is told at once. */
    public static Answer get(int port, String path) throws IOException {
        return get(port, path, TIMEOUT);
    }

    public static Answer get(int port, String path, Duration timeout) throws IOException {
        return send(request(port, path, timeout).build());
    }

    /** Sends JSON, and waits five seconds for the answer. */
    public static Answer send(String method, int port, String path, String json) throws IOException {
        return send(json(method, port, path, json, TIMEOUT).build());
    }

    /** The same with a bearer token. */
    public static Answer send(String method, int port, String path, String json, String token, Duration timeout)
            throws IOException {
        return send(json(method, port, path, json, timeout)
                .header("Authorization", "Bearer " + token)
                .build());
    }

    private static HttpRequest.Builder json(String method, int port, String path, String json, Duration timeout) {
        return request(port, path, timeout)
                .header("Content-Type", "application/json")
                .method(method, HttpRequest.BodyPublishers.ofString(json));
    }

    private static HttpRequest.Builder request(int port, String path, Duration timeout) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .timeout(timeout);
    }

    private static Answer send(HttpRequest request) throws IOException {
        try {
            HttpResponse<String> response = CLIENT.send(request, HttpResponse.BodyHandlers.ofString());
            return new Answer(response.statusCode(), response.body());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    /** Spring Boot answers 503 for DOWN. */
    public static boolean isHealthy(int port) throws IOException {
        return get(port, "/actuator/health").status() == 200;
    }
}
