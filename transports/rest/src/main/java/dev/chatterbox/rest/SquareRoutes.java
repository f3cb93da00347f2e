package dev.chatterbox.rest;

import com.google.protobuf.ByteString;
import com.google.protobuf.MessageLite;
import dev.chatterbox.http.HttpMessages;
import dev.chatterbox.responder.Reply;
import dev.chatterbox.responder.SquareResponder;
import dev.chatterbox.traces.Traces;
import dev.chatterbox.traces.WorkSpan;
import dev.chatterbox.transport.CallWork;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferLimitException;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.web.reactive.HandlerMapping;
import org.springframework.web.reactive.function.server.HandlerFunction;
import org.springframework.web.reactive.function.server.RequestPredicates;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import org.springframework.web.reactive.function.server.support.RouterFunctionMapping;
import org.springframework.web.server.MethodNotAllowedException;
import org.springframework.web.server.UnsupportedMediaTypeStatusException;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;
import reactor.netty.channel.AbortedException;
import tools.jackson.databind.json.JsonMapper;

/**
 * {@code GET /api/square/unary/{number}} answers with the square as a JSON number, and {@code POST /api/square/batch}
 * answers an array of numbers with an array of squares. Both also take protobuf by POST, the only form with payloads.
 * {@code POST /api/square/stream} takes one number per line, as long as lines come. The work of each number is a query,
 * {@code ?burn=200us&wait=2ms}; that of a protobuf message is in it.
 */
@Configuration(proxyBeanMethods = false)
public record SquareRoutes(SquareResponder responder, JsonMapper json) {

    private static final String STREAM = HttpMessages.PATH + "stream";

    private static final MediaType PROTOBUF = MediaType.parseMediaType(HttpMessages.PROTOBUF);

    /** First of all mappings, because each of the actuator's would check whether the request is its own. */
    @Bean
    HandlerMapping squares() {
        RouterFunctionMapping mapping = new RouterFunctionMapping(routes());
        mapping.setOrder(Ordered.HIGHEST_PRECEDENCE);
        return mapping;
    }

    private RouterFunction<ServerResponse> routes() {
        return RouterFunctions.route()
                .GET(HttpMessages.UNARY + "/{number}", request -> answer(request, request.pathVariable("number")))
                .GET(HttpMessages.UNARY + "/", request -> answer(request, ""))
                .POST(HttpMessages.UNARY, deferred(this::answerUnary))
                .POST(HttpMessages.BATCH, deferred(this::answerBatch))
                .POST(STREAM, deferred(this::answerStream))
                .route(
                        RequestPredicates.path(HttpMessages.UNARY + "/{number}"),
                        request -> onlyThe(HttpMethod.GET, request))
                .route(
                        RequestPredicates.path(HttpMessages.BATCH).or(RequestPredicates.path(STREAM)),
                        request -> onlyThe(HttpMethod.POST, request))
                .build();
    }

    /** An exception that a handler throws itself, instead of its Mono, would be answered without a problem detail. */
    private static HandlerFunction<ServerResponse> deferred(HandlerFunction<ServerResponse> handler) {
        return request -> Mono.defer(() -> handler.handle(request));
    }

    private Mono<ServerResponse> answer(ServerRequest request, String number) {
        return answered(
                request,
                true,
                reply -> responder.answer(HttpMessages.requireNumber(number), ByteString.EMPTY, work(request), reply));
    }

    /** @throws IllegalArgumentException the query asks for work that cannot be */
    private static CallWork work(ServerRequest request) {
        return request.uri().getRawQuery() == null
                ? CallWork.NONE
                : CallWork.parse(
                        request.queryParams().getFirst(CallWork.BURN),
                        request.queryParams().getFirst(CallWork.WAIT));
    }

    private Mono<ServerResponse> answerStream(ServerRequest request) {
        requireType(request, List.of(MediaType.APPLICATION_NDJSON));
        CallWork work;
        try {
            work = work(request);
        } catch (IllegalArgumentException e) {
            return refused(request, String.valueOf(e.getMessage()));
        }
        Flux<DataBuffer> answers = new StreamedLines(responder, work, json::writeValueAsString)
                .answers(request.exchange().getRequest().getBody());
        return ServerResponse.ok()
                .contentType(MediaType.APPLICATION_NDJSON)
                .body((response, context) -> response.writeAndFlushWith(answers.map(Mono::just)));
    }

    private Mono<ServerResponse> answerUnary(ServerRequest request) {
        requireType(request, List.of(PROTOBUF));
        return body(request, body -> answered(request, false, reply -> responder.answer(body, reply)));
    }

    private Mono<ServerResponse> answerBatch(ServerRequest request) {
        boolean json = requireType(request, List.of(MediaType.APPLICATION_JSON, PROTOBUF))
                .equals(MediaType.APPLICATION_JSON);
        return body(
                request,
                body -> answered(
                        request,
                        json,
                        json
                                ? reply -> responder.answerBatch(HttpMessages.inputs(body, work(request)), reply)
                                : reply -> responder.answerBatch(body, reply)));
    }

    /** @return the one of these that the body is of */
    private static MediaType requireType(ServerRequest request, List<MediaType> types) {
        MediaType actual = request.headers().contentType().orElse(MediaType.APPLICATION_OCTET_STREAM);
        return types.stream()
                .filter(type -> type.isCompatibleWith(actual))
                .findFirst()
                .orElseThrow(() -> new UnsupportedMediaTypeStatusException(actual, types));
    }

    private Mono<ServerResponse> body(ServerRequest request, Function<byte[], Mono<ServerResponse>> answer) {
        return DataBufferUtils.join(request.exchange().getRequest().getBody(), HttpMessages.MOST_BYTES)
                .map(SquareRoutes::bytes)
                .defaultIfEmpty(new byte[0])
                .flatMap(answer)
                .onErrorResume(DataBufferLimitException.class, error -> refused(request, HttpMessages.TOO_LARGE))
                // The requester left before its body was whole: there is nobody to answer, and nothing to log.
                .onErrorResume(AbortedException.class, gone -> Mono.empty());
    }

    private static byte[] bytes(DataBuffer buffer) {
        byte[] bytes = new byte[buffer.readableByteCount()];
        buffer.read(bytes);
        DataBufferUtils.release(buffer);
        return bytes;
    }

    private Mono<ServerResponse> refused(ServerRequest request, String reason) {
        return answered(request, false, reply -> responder.refuse(reason, reply));
    }

    /** @param ask answers to the reply; the message of an IllegalArgumentException says what is wrong in the request */
    private Mono<ServerResponse> answered(ServerRequest request, boolean json, Consumer<Reply<MessageLite>> ask) {
        WorkSpan span =
                responder.trace(request.exchange().getRequest().getHeaders().getFirst(Traces.PARENT));
        return Mono.<Mono<ServerResponse>>create(sink -> {
                    HttpReply reply = new HttpReply(sink, json, span);
                    try {
                        ask.accept(reply);
                    } catch (IllegalArgumentException e) {
                        responder.refuse(String.valueOf(e.getMessage()), reply);
                    }
                })
                .flatMap(answer -> answer);
    }

    private static Mono<ServerResponse> onlyThe(HttpMethod method, ServerRequest request) {
        return Mono.error(new MethodNotAllowedException(request.method(), List.of(method)));
    }

    /** @param json whether the answer is JSON, or protobuf */
    private record HttpReply(
            MonoSink<Mono<ServerResponse>> sink,
            boolean json,
            @Nullable WorkSpan span) implements Reply<MessageLite> {

        @Override
        public void answer(MessageLite answer) {
            sink.success(Mono.just(new BytesResponse(
                    json ? HttpMessages.JSON : HttpMessages.PROTOBUF,
                    json ? HttpMessages.json(answer) : answer.toByteArray(),
                    WorkSpan.end(span))));
        }

        @Override
        public void error(String reason) {
            WorkSpan.end(span);
            sink.success(ServerResponse.badRequest()
                    .contentType(MediaType.APPLICATION_PROBLEM_JSON)
                    .bodyValue(ProblemDetail.forStatusAndDetail(HttpStatus.BAD_REQUEST, reason)));
        }
    }
}
