package dev.chatterbox.vertx;

import com.google.protobuf.ByteString;
import com.google.protobuf.MessageLite;
import dev.chatterbox.http.HttpMessages;
import dev.chatterbox.responder.ListeningResponder;
import dev.chatterbox.responder.Reply;
import dev.chatterbox.responder.SquareResponder;
import dev.chatterbox.traces.ResponderWork;
import dev.chatterbox.traces.Traces;
import dev.chatterbox.traces.WorkSpan;
import dev.chatterbox.transport.CallWork;
import dev.chatterbox.transport.Defaults;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.Http2Settings;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.stereotype.Component;
import org.springframework.util.StringUtils;
import tools.jackson.databind.json.JsonMapper;

/**
 * The same service as REST's, by Vert.x's HttpServer over HTTP/1.1 and HTTP/2 on one port, without TLS. A request is
 * answered on the event loop that read it. Requests that come pipelined are answered one after the other.
 */
@Component
public class VertxResponder extends ListeningResponder {

    private static final CharSequence JSON = HttpHeaders.createOptimized(HttpMessages.JSON);
    private static final CharSequence PROTOBUF = HttpHeaders.createOptimized(HttpMessages.PROTOBUF);
    private static final CharSequence PROBLEM = HttpHeaders.createOptimized("application/problem+json");

    private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();

    /** How long the stop waits for answers; shorter than spring.lifecycle.timeout-per-shutdown-phase. */
    private static final long DRAIN_SECONDS = 2;

    /** One connection may carry as many calls as the aggregator has in flight by default. */
    private static final int STREAMS = Defaults.IN_FLIGHT;

    private final SquareResponder responder;
    private final JsonMapper json;
    private final HttpServerOptions options;
    private final List<HttpServer> servers = new CopyOnWriteArrayList<>();

    @SuppressWarnings("NullAway.Init")
    private Vertx vertx;

    VertxResponder(
            SquareResponder responder,
            JsonMapper json,
            @Value("${server.address}") String address,
            @Value("${chatterbox.vertx-port}") int port) {
        this.responder = responder;
        this.json = json;
        options = new HttpServerOptions()
                .setHost(address)
                .setPort(port)
                .setInitialSettings(new Http2Settings().setMaxConcurrentStreams(STREAMS))
                // How many calls on one connection a requester may cancel in a second. After more, the connection is
                // closed and all its calls fail. The default, 200 in half a minute, is what a single leaving client may
                // cancel at once.
                .setHttp2RstFloodMaxRstFramePerWindow(20 * STREAMS)
                .setHttp2RstFloodWindowDuration(1);
    }

    /** The servers share the port: Vert.x gives each event loop its share of the connections. */
    @Override
    protected void listen() {
        vertx = EventLoops.start(PROCESSORS);
        completed(vertx.deployVerticle(Server::new, new DeploymentOptions().setInstances(PROCESSORS)));
    }

    private final class Server extends VerticleBase {

        @Override
        public Future<?> start() {
            HttpServer server = vertx.createHttpServer(options)
                    .connectionHandler(EventLoops::leaveErrorsToRequests)
                    .requestHandler(VertxResponder.this::answer);
            servers.add(server);
            return server.listen();
        }
    }

    @Override
    protected void close() {
        completed(Future.join(servers.stream()
                .map(server -> server.shutdown(DRAIN_SECONDS, TimeUnit.SECONDS))
                .toList()));
        completed(vertx.close());
    }

    private static void completed(Future<?> future) {
        future.toCompletionStage().toCompletableFuture().join();
    }

    private void answer(HttpServerRequest request) {
        String path = request.path();
        int slash = path.lastIndexOf('/');
        boolean isNumber = slash == HttpMessages.UNARY.length() && path.startsWith(HttpMessages.UNARY);
        boolean isUnary = path.equals(HttpMessages.UNARY) && request.method() == HttpMethod.POST;
        HttpMethod allowed = isNumber ? HttpMethod.GET : HttpMethod.POST;
        if (!isNumber && !isUnary && !path.equals(HttpMessages.BATCH)) {
            problem(request.response(), HttpStatus.NOT_FOUND, "there is nothing here");
        } else if (request.method() != allowed) {
            HttpServerResponse response = request.response().putHeader(HttpHeaders.ALLOW, allowed.name());
            problem(response, HttpStatus.METHOD_NOT_ALLOWED, "only %s is supported".formatted(allowed));
        } else if (isNumber) {
            answerNumber(request, path.substring(slash + 1));
        } else {
            answerBody(request, isUnary);
        }
    }

    private void answerNumber(HttpServerRequest request, String segment) {
        HttpReply reply = new HttpReply(request, true);
        try {
            String text = segment.indexOf('%') < 0 ? segment : StringUtils.uriDecode(segment, StandardCharsets.UTF_8);
            responder.answer(HttpMessages.requireNumber(text), ByteString.EMPTY, work(request), reply);
        } catch (IllegalArgumentException e) {
            responder.refuse(String.valueOf(e.getMessage()), reply);
        }
    }

    /** @throws IllegalArgumentException the query asks for work that cannot be */
    private static CallWork work(HttpServerRequest request) {
        return request.query() == null
                ? CallWork.NONE
                : CallWork.parse(request.getParam(CallWork.BURN), request.getParam(CallWork.WAIT));
    }

    private void answerBody(HttpServerRequest request, boolean isUnary) {
        String type = String.valueOf(request.getHeader(HttpHeaders.CONTENT_TYPE))
                .split(";", 2)[0]
                .strip();
        boolean isJson = HttpMessages.JSON.equalsIgnoreCase(type) && !isUnary;
        if (!isJson && !HttpMessages.PROTOBUF.equalsIgnoreCase(type)) {
            String detail = "no body of the type '%s' is read here".formatted(type);
            problem(request.response(), HttpStatus.UNSUPPORTED_MEDIA_TYPE, detail);
            return;
        }
        HttpReply reply = new HttpReply(request, isJson);
        body(request, reply, body -> {
            if (isJson) {
                responder.answerBatch(HttpMessages.inputs(body, work(request)), reply);
            } else if (isUnary) {
                responder.answer(body, reply);
            } else {
                responder.answerBatch(body, reply);
            }
        });
    }

    /** Reads the whole body; of one that is too large no more than is allowed is kept. */
    private void body(HttpServerRequest request, Reply<?> reply, Consumer<byte[]> whole) {
        int most = HttpMessages.MOST_BYTES;
        Buffer body = Buffer.buffer();
        request.handler(part -> {
            if (body.length() <= most) {
                body.appendBuffer(part);
            }
        });
        request.endHandler(end -> {
            if (body.length() > most) {
                responder.refuse(HttpMessages.TOO_LARGE, reply);
                return;
            }
            try {
                whole.accept(body.getBytes());
            } catch (IllegalArgumentException e) {
                responder.refuse(String.valueOf(e.getMessage()), reply);
            }
        });
    }

    private void problem(HttpServerResponse response, HttpStatus status, String detail) {
        response.setStatusCode(status.value())
                .putHeader(HttpHeaders.CONTENT_TYPE, PROBLEM)
                .end(json.writeValueAsString(ProblemDetail.forStatusAndDetail(status, detail)));
    }

    /** The answer to one request, in JSON or protobuf. Vert.x drops it if the requester has gone. */
    private final class HttpReply implements Reply<MessageLite> {

        private final HttpServerResponse response;
        private final boolean isJson;
        private final @Nullable WorkSpan span;

        HttpReply(HttpServerRequest request, boolean isJson) {
            response = request.response();
            this.isJson = isJson;
            span = responder.trace(request.getHeader(Traces.PARENT));
        }

        @Override
        public void answer(MessageLite answer) {
            if (span != null) {
                response.putHeader(ResponderWork.HEADER, span.end());
            }
            response.putHeader(HttpHeaders.CONTENT_TYPE, isJson ? JSON : PROTOBUF)
                    .end(Buffer.buffer(isJson ? HttpMessages.json(answer) : answer.toByteArray()));
        }

        @Override
        public void error(String reason) {
            WorkSpan.end(span);
            problem(response, HttpStatus.BAD_REQUEST, reason);
        }
    }
}
