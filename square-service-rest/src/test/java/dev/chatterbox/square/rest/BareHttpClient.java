package dev.chatterbox.square.rest;

import dev.chatterbox.square.common.Requester;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;

/** The JDK's own client. */
final class BareHttpClient implements Requester {

    private final HttpClient http = HttpClient.newHttpClient();
    private final Queue<CompletableFuture<HttpResponse<String>>> asked = new ConcurrentLinkedQueue<>();
    private final URI base;

    BareHttpClient(URI base) {
        this.base = base;
    }

    @Override
    public CompletableFuture<Answer> ask(int number) {
        CompletableFuture<HttpResponse<String>> response = http.sendAsync(
                HttpRequest.newBuilder(base.resolve(Integer.toString(number))).build(),
                HttpResponse.BodyHandlers.ofString());
        asked.add(response);
        return response.thenApply(
                reply -> new Answer(reply.statusCode() == 200 ? 0 : reply.statusCode(), reply.body()));
    }

    /** Takes back what was not answered: a service waits for it when it stops. */
    @Override
    public void close() {
        asked.forEach(response -> response.cancel(true));
    }
}
