package dev.chatterbox.processes;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** Sends requests to the services of this machine. A timeout includes the whole answer, to its last byte. */
public final class LocalHttp {

    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private static final HttpClient CLIENT = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(TIMEOUT)
            .build();

    private LocalHttp() {}

    public record Answer(int status, String body) {}

    /** The detail in a problem document; the whole text if it is none. */
    public static String detail(String problem) {
        try {
            return JsonMapper.shared().readTree(problem).path("detail").asString(problem);
        } catch (JacksonException e) {
            return problem;
        }
    }

    /** Waits at most five seconds for the answer. */
    public static Answer get(int port, String path) throws IOException {
        return get(port, path, TIMEOUT);
    }

    public static Answer get(int port, String path, Duration timeout) throws IOException {
        return send(request(port, path), timeout);
    }

    /** Sends JSON, and waits at most five seconds for the answer. */
    public static Answer send(String method, int port, String path, String json) throws IOException {
        return send(json(method, port, path, json), TIMEOUT);
    }

    /** Sends JSON with a bearer token. */
    public static Answer send(String method, int port, String path, String json, String token, Duration timeout)
            throws IOException {
        return send(json(method, port, path, json).header("Authorization", "Bearer " + token), timeout);
    }

    private static HttpRequest.Builder json(String method, int port, String path, String json) {
        return request(port, path)
                .header("Content-Type", "application/json")
                .method(method, HttpRequest.BodyPublishers.ofString(json));
    }

    private static HttpRequest.Builder request(int port, String path) {
        return HttpRequest.newBuilder(URI.create("http://" + Loopback.authority(port) + path));
    }

    private static Answer send(HttpRequest.Builder request, Duration timeout) throws IOException {
        HttpResponse<String> response = send(CLIENT, request.build(), HttpResponse.BodyHandlers.ofString(), timeout);
        return new Answer(response.statusCode(), response.body());
    }

    /**
     * Sends a request and waits for the whole answer. The request's own timeout would only cover the headers.
     *
     * @throws HttpTimeoutException the answer is not complete in time
     */
    public static <T> HttpResponse<T> send(
            HttpClient client, HttpRequest request, HttpResponse.BodyHandler<T> body, Duration timeout)
            throws IOException {
        CompletableFuture<HttpResponse<T>> response = client.sendAsync(request, body);
        try {
            return response.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw new HttpTimeoutException("%s was not answered in %s".formatted(request.uri(), timeout));
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException cause ? cause : new IOException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } finally {
            // This ends the exchange if it is still running.
            response.cancel(true);
        }
    }
}
