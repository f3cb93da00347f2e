package dev.chatterbox.rest;

import dev.chatterbox.client.DirectPeer;
import dev.chatterbox.proto.Input;
import dev.chatterbox.proto.Output;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelId;
import io.netty.channel.ChannelOption;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.handler.codec.http2.Http2StreamChannel;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.netty.DisposableServer;
import reactor.netty.http.HttpProtocol;
import reactor.netty.http.server.HttpServer;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;

/** An HTTP server whose requests a test answers. */
final class RestPeer extends DirectPeer {

    private final AtomicInteger unanswered = new AtomicInteger();
    private final Set<ChannelId> connections = ConcurrentHashMap.newKeySet();
    private final ChannelGroup open = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE, true);
    private final DisposableServer server;

    RestPeer(int port, HttpProtocol protocol) {
        server = HttpServer.create()
                .host("127.0.0.1")
                .port(port)
                .protocol(protocol)
                .doOnConnection(accepted -> accepted(accepted.channel()))
                .http2Settings(settings -> settings.maxConcurrentStreams(1000))
                .route(routes -> routes.get(
                                "/api/square/unary/{number}",
                                (request, response) -> answered(
                                        response,
                                        new Request(
                                                Form.NUMBER,
                                                List.of(input(String.valueOf(request.param("number")))),
                                                Sinks.one())))
                        .post(
                                "/api/square/unary",
                                (request, response) -> body(request)
                                        .flatMap(body -> answered(
                                                response,
                                                new Request(Form.MESSAGE, inputsOf(false, body), Sinks.one()))))
                        .post(
                                "/api/square/batch",
                                (request, response) ->
                                        body(request).flatMap(body -> answered(response, batch(request, body))))
                        .post("/api/square/stream", this::stream))
                .bindNow();
    }

    private void accepted(Channel channel) {
        Channel connection = channel instanceof Http2StreamChannel ? channel.parent() : channel;
        connections.add(connection.id());
        open.add(connection);
    }

    private Publisher<Void> stream(HttpServerRequest request, HttpServerResponse response) {
        Stream stream = new Stream(response);
        opened(stream);
        unanswered.incrementAndGet();
        response.withConnection(connection -> connection.onDispose(stream::gaveUp));
        request.receive().asString().subscribe(stream::read, error -> {});
        return response.header("Content-Type", "application/x-ndjson")
                .send(stream.lines.asFlux().map(RestPeer::buffer), buffer -> true)
                .then()
                .doFinally(end -> unanswered.decrementAndGet());
    }

    private static ByteBuf buffer(String line) {
        return Unpooled.copiedBuffer(line, StandardCharsets.US_ASCII);
    }

    private static final class Stream extends ReceivedStream {

        private final Sinks.Many<String> lines = Sinks.many().unicast().onBackpressureBuffer();
        private final HttpServerResponse response;
        private String begun = "";

        Stream(HttpServerResponse response) {
            this.response = response;
        }

        void read(String part) {
            String text = begun + part;
            int end = text.lastIndexOf('\n') + 1;
            text.substring(0, end).lines().map(Integer::valueOf).forEach(this::came);
            begun = text.substring(end);
        }

        @Override
        public void output(int number, long square) {
            lines.tryEmitNext("{\"%d\":%d}\n".formatted(number, square)).orThrow();
        }

        /** The client may have hung up after the previous line, if that was an error. */
        @Override
        public void end() {
            Sinks.EmitResult result = lines.tryEmitComplete();
            if (result != Sinks.EmitResult.FAIL_CANCELLED) {
                result.orThrow();
            }
        }

        @Override
        public void error(String reason) {
            lines.tryEmitNext("{\"error\":{\"status\":500,\"detail\":\"%s\"}}\n".formatted(reason));
            end();
        }

        @Override
        public void garbage() {
            lines.tryEmitNext("nine\n").orThrow();
        }

        @Override
        public void breakOff() {
            response.withConnection(connection -> Request.reset(connection.channel()));
        }
    }

    private static Mono<byte[]> body(HttpServerRequest request) {
        return request.receive().aggregate().asByteArray();
    }

    private static Request batch(HttpServerRequest request, byte[] body) {
        if (request.requestHeaders().contains("Content-Type", "application/x-protobuf", true)) {
            return new Request(Form.MESSAGES, inputsOf(true, body), Sinks.one());
        }
        String numbers = new String(body, StandardCharsets.US_ASCII);
        return new Request(
                Form.ARRAY,
                java.util.stream.Stream.of(
                                numbers.substring(1, numbers.length() - 1).split(","))
                        .map(RestPeer::input)
                        .toList(),
                Sinks.one());
    }

    private static Input input(String number) {
        return Input.newBuilder().setNumber(Integer.parseInt(number)).build();
    }

    private Mono<Void> answered(HttpServerResponse response, Request request) {
        unanswered.incrementAndGet();
        arrived(request);
        return request.answer
                .asMono()
                .flatMap(given -> given.apply(response))
                .doFinally(end -> unanswered.decrementAndGet());
    }

    /** The form of a reply's body. */
    private enum Form {
        NUMBER,
        ARRAY,
        MESSAGE,
        MESSAGES
    }

    @Override
    public int port() {
        return server.port();
    }

    @Override
    public int unanswered() {
        return unanswered.get();
    }

    @Override
    public int connections() {
        return connections.size();
    }

    /** Writes a response. */
    private interface ResponseWriter extends Function<HttpServerResponse, Mono<Void>> {}

    private record Request(Form form, List<Input> inputs, Sinks.One<ResponseWriter> answer) implements Received {

        @Override
        public int number() {
            return inputs.get(0).getNumber();
        }

        @Override
        public void square(int number, long square) {
            outputs(List.of(
                    Output.newBuilder().setNumber(number).setResult(square).build()));
        }

        @Override
        public void outputs(List<Output> outputs) {
            bytes(written(outputs));
        }

        @Override
        public byte[] rightBody() {
            return written(rightOutputs());
        }

        private byte[] written(List<Output> outputs) {
            return switch (form) {
                case NUMBER -> ascii(Long.toString(outputs.get(0).getResult()));
                case ARRAY ->
                    ascii(outputs.stream()
                            .map(output -> Long.toString(output.getResult()))
                            .collect(Collectors.joining(",", "[", "]")));
                case MESSAGE, MESSAGES -> body(form == Form.MESSAGES, outputs);
            };
        }

        private static byte[] ascii(String text) {
            return text.getBytes(StandardCharsets.US_ASCII);
        }

        @Override
        public void error(String reason) {
            answer.tryEmitValue(response ->
                    response.status(500).sendString(Mono.just(reason)).then());
        }

        @Override
        public void bytes(byte[] body) {
            boolean json = form == Form.NUMBER || form == Form.ARRAY;
            answer.tryEmitValue(
                    response -> response.header("Content-Type", json ? "application/json" : "application/x-protobuf")
                            .sendByteArray(Mono.just(body))
                            .then());
        }

        @Override
        public void breakOff(int bytes) {
            answer.tryEmitValue(response -> {
                response.withConnection(connection -> {
                    if (bytes == 0) {
                        reset(connection.channel());
                    } else {
                        writeAndClose(connection.channel(), bytes);
                    }
                });
                return Mono.never();
            });
        }

        /** The end of a process that has not read everything resets the connection in the same way. */
        private static void reset(Channel channel) {
            channel.config().setOption(ChannelOption.SO_LINGER, 0);
            channel.close();
        }

        /** Writes around the server, which does not promise more bytes than it sends. */
        private static void writeAndClose(Channel channel, int bytes) {
            String begun = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n"
                    + "9".repeat(bytes);
            channel.pipeline()
                    .firstContext()
                    .writeAndFlush(Unpooled.copiedBuffer(begun, StandardCharsets.US_ASCII))
                    .addListener(ChannelFutureListener.CLOSE);
        }
    }

    @Override
    public void replyForNobody() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void close() {
        server.disposeNow(Duration.ofSeconds(1));
        open.close();
    }
}
