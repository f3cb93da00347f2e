package dev.chatterbox.vertx;

import dev.chatterbox.responder.Requester;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import java.util.concurrent.CompletableFuture;

/** Vert.x's client over one connection of HTTP/2, otherwise with its defaults. */
record BareVertxClient(HttpClient http) implements Requester {

    private static final Vertx VERTX = EventLoops.start(1);

    static BareVertxClient connect(int port) {
        return new BareVertxClient(VERTX.createHttpClient(new HttpClientOptions()
                .setDefaultHost("127.0.0.1")
                .setDefaultPort(port)
                .setProtocolVersion(HttpVersion.HTTP_2)
                .setHttp2ClearTextUpgrade(false)));
    }

    @Override
    public CompletableFuture<Answer> ask(int number) {
        return get("/api/square/unary/" + number)
                .thenApply(reply -> new Answer(reply.code(), reply.code() == 0 ? text(reply) : reply.reason()));
    }

    private static String text(Message reply) {
        return Buffer.buffer(reply.body()).toString();
    }

    CompletableFuture<Message> get(String path) {
        return sent(HttpMethod.GET, path, Buffer.buffer());
    }

    /** Sends the body as protobuf. */
    @Override
    public CompletableFuture<Message> send(boolean batch, byte[] body) {
        return sent(HttpMethod.POST, batch ? "/api/square/batch" : "/api/square/unary", Buffer.buffer(body));
    }

    /** On the event loop, because elsewhere a response might come before anybody waits for its body. */
    private CompletableFuture<Message> sent(HttpMethod method, String path, Buffer body) {
        CompletableFuture<Message> answer = new CompletableFuture<>();
        VERTX.runOnContext(loop ->
                request(method, path, body).onSuccess(answer::complete).onFailure(answer::completeExceptionally));
        return answer;
    }

    private Future<Message> request(HttpMethod method, String path, Buffer body) {
        return http.request(method, path)
                .compose(request -> request.putHeader("Content-Type", "application/x-protobuf")
                        .send(body))
                .compose(response -> response.body()
                        .map(reply -> response.statusCode() == 200
                                ? Message.of(reply.getBytes())
                                : Message.error(response.statusCode(), reply.toString())));
    }

    /** Cancels unanswered calls, because a service waits for them when it stops. */
    @Override
    public void close() {
        Future<Void> closed = http.close();
        closed.toCompletionStage().toCompletableFuture().join();
    }
}
