package dev.chatterbox.vertx;

import dev.chatterbox.client.CallException;
import dev.chatterbox.client.CallLimits;
import dev.chatterbox.client.CallTrace;
import dev.chatterbox.client.MessageLimit;
import dev.chatterbox.client.PendingCalls;
import dev.chatterbox.client.PendingClient;
import dev.chatterbox.client.SquareRequest;
import dev.chatterbox.http.HttpMessages;
import dev.chatterbox.traces.ResponderWork;
import dev.chatterbox.traces.Traces;
import dev.chatterbox.variants.Variant;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpClosedException;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.StreamResetException;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.NetSocket;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;

/**
 * Vert.x's HttpClient, with all its connections on one event loop, as a channel of gRPC has one. Each call is sent
 * there, and those that a reply brings about without a change of threads. Replies arrive there, a deadline's error on
 * Reactor's timer.
 */
@SuppressWarnings("NullAway.Init") // start() makes what sends.
class VertxSquareClient extends PendingClient {

    private static final Buffer EMPTY = Buffer.buffer();

    /** HTTP/2's error code CANCEL. HTTP/1.1 closes the connection, with whatever code. */
    private static final long CANCEL = 8;

    /** A call's time here begins a moment after its deadline was set. */
    private static final long MOMENT = Duration.ofMillis(1).toNanos();

    private final VertxSettings settings;
    private Vertx vertx;
    private Context loop;
    private HttpClient http;
    private NetClient sockets;

    VertxSquareClient(Variant variant, VertxSettings settings, CallLimits limits, MeterRegistry meters) {
        super(PendingCalls.start(variant.name(), limits.maxOutstanding(settings.maxInFlight()), meters));
        this.settings = settings;
    }

    @Override
    public void start() {
        vertx = EventLoops.start(1);
        loop = vertx.getOrCreateContext();
        HttpClientOptions options = new HttpClientOptions()
                .setDefaultHost(settings.url().getHost())
                .setDefaultPort(settings.url().getPort())
                .setConnectTimeout((int) settings.connectTimeout().toMillis())
                .setProtocolVersion(settings.h2c() ? HttpVersion.HTTP_2 : HttpVersion.HTTP_1_1)
                // HTTP/2 from the first byte on.
                .setHttp2ClearTextUpgrade(false)
                .setHttp2MultiplexingLimit(settings.streams())
                .setPipelining(settings.isPipelined())
                .setPipeliningLimit(settings.streams());
        sockets = vertx.createNetClient(new NetClientOptions()
                .setConnectTimeout((int) settings.connectTimeout().toMillis()));
        PoolOptions pool = new PoolOptions()
                .setHttp1MaxSize(settings.connections())
                .setHttp2MaxSize(settings.connections())
                // In seconds, so that a square service that joins behind the same name gets its share.
                .setMaxLifetime(30);
        http = vertx.httpClientBuilder()
                .with(options)
                .with(pool)
                .withConnectHandler(EventLoops::leaveErrorsToRequests)
                .build();
    }

    @Override
    protected void send(long correlationId, SquareRequest request) {
        if (http == null) {
            throw CallException.unavailable("the client is not started");
        }
        Call call = new Call(correlationId, request);
        pending.disposeWithCall(correlationId, call);
        if (Vertx.currentContext() == loop) {
            call.send();
        } else {
            loop.runOnContext(event -> call.send());
        }
    }

    /** Connects, and no more: a request would be counted as a call. */
    @Override
    public Mono<Void> check() {
        return Mono.fromCompletionStage(() -> sockets.connect(
                                settings.url().getPort(), settings.url().getHost())
                        .compose(NetSocket::close)
                        .toCompletionStage())
                .onErrorMap(error -> CallException.unavailable("no square service listens at " + settings.url()));
    }

    @Override
    public Map<String, Object> settings() {
        return Map.of(
                "urls", String.valueOf(settings.url()),
                "connections", settings.connections(),
                "streams", settings.streams());
    }

    @Override
    public MessageLimit messageLimit() {
        return HttpMessages.LIMIT;
    }

    @Override
    public int maxInFlight() {
        return settings.maxInFlight();
    }

    @Override
    public void stop() {
        super.stop();
        if (http != null) {
            vertx.close();
        }
    }

    private static CallException callException(Throwable error) {
        boolean broken = error instanceof IOException
                || error instanceof HttpClosedException
                || error instanceof StreamResetException;
        return broken
                ? CallException.noAnswer(error.getMessage())
                : CallException.error("a reply that cannot be read: " + error.getMessage());
    }

    /** One call. All but {@link #dispose} runs on the event loop. */
    private final class Call implements Disposable {

        private final long correlationId;
        private final SquareRequest request;
        private final long start = System.nanoTime();
        private volatile boolean disposed;
        private @Nullable HttpClientRequest sent;
        private boolean ended;
        private Buffer body = EMPTY;

        Call(long correlationId, SquareRequest request) {
            this.correlationId = correlationId;
            this.request = request;
        }

        void send() {
            if (!disposed) {
                HttpMethod method = HttpMessages.hasBody(request) ? HttpMethod.POST : HttpMethod.GET;
                http.request(method, HttpMessages.uri(HttpMessages.PATH, request))
                        .onComplete(this::connected, this::failed);
            }
        }

        private void connected(HttpClientRequest sending) {
            sent = sending;
            if (disposed) {
                // Without a handler, the library logs an error.
                sending.exceptionHandler(error -> {});
                if (settings.h2c()) {
                    // Vert.x 5.2.3 never gives back the place of a stream that is reset before it is begun.
                    sending.send();
                }
                sending.reset(CANCEL);
                return;
            }
            CallTrace trace = request.trace();
            if (trace != null) {
                sending.putHeader(Traces.PARENT, trace.traceparent());
            }
            Future<HttpClientResponse> response;
            if (HttpMessages.hasBody(request)) {
                sending.putHeader(HttpHeaders.CONTENT_TYPE, HttpMessages.contentType(request));
                response = sending.send(Buffer.buffer(HttpMessages.body(request)));
            } else {
                response = sending.send();
            }
            response.onComplete(this::answered, this::failed);
        }

        private void answered(HttpClientResponse response) {
            if (response.statusCode() == 200) {
                response.handler(this::part);
            }
            response.exceptionHandler(this::failed).endHandler(end -> completed(response));
        }

        private void part(Buffer part) {
            if (!ended) {
                body = body == EMPTY ? part : body.appendBuffer(part);
                try {
                    HttpMessages.requireBytes(request, body.length());
                } catch (CallException e) {
                    fail(e);
                    giveUp(false);
                }
            }
        }

        private void completed(HttpClientResponse response) {
            CallTrace trace = request.trace();
            if (trace != null) {
                trace.worked(response.getHeader(ResponderWork.HEADER));
            }
            int status = response.statusCode();
            if (status != 200) {
                fail(HttpMessages.errorReply(status));
            } else if (!ended) {
                ended = true;
                pending.reply(correlationId, body.getBytes(), HttpMessages::read);
            }
        }

        private void failed(Throwable error) {
            fail(callException(error));
        }

        private void fail(CallException error) {
            ended = true;
            pending.fail(correlationId, error);
        }

        /**
         * If other calls share the connection, the reply is read and dropped, and ends none of them. If the deadline
         * has passed, those behind it would wait in vain, too: then the connection is closed.
         */
        private void giveUp(boolean late) {
            if (sent != null && (late || !settings.isPipelined())) {
                sent.reset(CANCEL);
            }
        }

        @Override
        public void dispose() {
            disposed = true;
            boolean late = System.nanoTime() - start >= request.timeout().toNanos() - MOMENT;
            loop.runOnContext(event -> {
                if (!ended) {
                    giveUp(late);
                }
            });
        }
    }
}
