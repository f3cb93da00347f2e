package dev.chatterbox.aggregator;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/** Asks an aggregator over HTTP, as a user would. */
public final class Http {

    private static final HttpClient CLIENT =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private final int port;

    public Http(int port) {
        this.port = port;
    }

    /** @param headers names and values in turn */
    public HttpResponse<String> get(String path, String... headers) {
        return getAsync(path, headers).join();
    }

    public CompletableFuture<HttpResponse<String>> getAsync(String path, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .timeout(Duration.ofMinutes(2));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return CLIENT.sendAsync(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    public int port() {
        return port;
    }

    /**
     * The lines of an answer as they come; closing them ends the request.
     *
     * @param headers names and values in turn
     */
    public Stream<String> lines(String path, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return CLIENT.sendAsync(request.build(), HttpResponse.BodyHandlers.ofLines())
                .join()
                .body();
    }

    public HttpResponse<String> send(String method, String path) {
        try {
            return CLIENT.send(
                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                            .method(method, HttpRequest.BodyPublishers.noBody())
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** The value of a metric, summed over what the line's text contains. */
    public double metric(String name, String... contained) {
        return get("/actuator/prometheus")
                .body()
                .lines()
                .filter(line -> line.startsWith(name + "{") || line.startsWith(name + " "))
                .filter(line -> Arrays.stream(contained).allMatch(line::contains))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }

    /** Sends a request and reads nothing of the answer yet. */
    public Socket open(String path, String... headers) {
        try {
            Socket socket = new Socket("127.0.0.1", port);
            socket.getOutputStream()
                    .write(("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n" + String.join("", header(headers))
                                    + "\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            return socket;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> header(String... headers) {
        return Arrays.stream(headers).map(header -> header + "\r\n").toList();
    }
}
