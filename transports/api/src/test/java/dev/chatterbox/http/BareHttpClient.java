package dev.chatterbox.http;

import dev.chatterbox.responder.Requester;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;

/** The JDK's own client. */
final class BareHttpClient implements Requester {

    /** It does not offer HTTP/2: after such an offer uvicorn reads no body. */
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private final Queue<CompletableFuture<?>> responses = new ConcurrentLinkedQueue<>();
    private final URI base;

    BareHttpClient(URI base) {
        this.base = base;
    }

    @Override
    public CompletableFuture<Answer> ask(int number) {
        CompletableFuture<HttpResponse<String>> response = http.sendAsync(
                HttpRequest.newBuilder(base.resolve(Integer.toString(number))).build(),
                HttpResponse.BodyHandlers.ofString());
        responses.add(response);
        return response.thenApply(
                reply -> new Answer(reply.statusCode() == 200 ? 0 : reply.statusCode(), reply.body()));
    }

    /** Sends the body as protobuf. */
    @Override
    public CompletableFuture<Message> send(boolean batch, byte[] body) {
        CompletableFuture<HttpResponse<byte[]>> response = http.sendAsync(
                HttpRequest.newBuilder(base.resolve(batch ? "/api/square/batch" : "/api/square/unary"))
                        .header("Content-Type", "application/x-protobuf")
                        .POST(HttpRequest.BodyPublishers.ofByteArray(body))
                        .build(),
                HttpResponse.BodyHandlers.ofByteArray());
        responses.add(response);
        return response.thenApply(reply -> reply.statusCode() == 200
                ? Message.of(reply.body())
                : Message.error(reply.statusCode(), new String(reply.body(), StandardCharsets.UTF_8)));
    }

    /** Cancels unanswered calls, because a service waits for them when it stops. */
    @Override
    public void close() {
        responses.forEach(response -> response.cancel(true));
    }
}
