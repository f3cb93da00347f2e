package dev.chatterbox.aggregator.web;

import dev.chatterbox.aggregator.fanout.FanOutProperties;
import dev.chatterbox.aggregator.fanout.Transport;
import dev.chatterbox.aggregator.fanout.Transports;
import dev.chatterbox.aggregator.fanout.Work;
import dev.chatterbox.aggregator.trace.RequestTrace;
import dev.chatterbox.aggregator.trace.RequestTraces;
import dev.chatterbox.client.SquareRequest;
import dev.chatterbox.proto.Messages;
import dev.chatterbox.traces.Traces;
import dev.chatterbox.transport.CallMode;
import dev.chatterbox.transport.CallWork;
import dev.chatterbox.variants.Variants;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpResponseDecorator;
import org.springframework.util.MimeTypeUtils;
import org.springframework.web.reactive.function.server.RequestPredicate;
import org.springframework.web.reactive.function.server.RequestPredicates;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import org.springframework.web.server.MethodNotAllowedException;
import org.springframework.web.server.NotAcceptableStatusException;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.http.server.HttpServerResponse;

/**
 * The API: {@code GET /{transport}/square/{mode}/{n}}, {@code GET /transports} and
 * {@code GET /transports/{transport}/latency}.
 */
@Configuration(proxyBeanMethods = false)
record ApiRoutes(
        Variants variants,
        Transports transports,
        FanOutProperties properties,
        RequestTraces traces,
        Problems problems) {

    private static final String SQUARES = "/{transport}/square/{mode}/{n}";
    private static final String LATENCY = "/transports/{transport}/latency";

    /** Tells nginx to pass on each line as it comes, instead of what fills its buffer. */
    static final String BUFFERING = "X-Accel-Buffering";

    /** The parameter with the number of inputs in a message of a batch. */
    private static final String SIZE = "size";

    private static final int DEFAULT_SIZE = 100;

    /** The parameter with the bytes of each input's payload. */
    private static final String PAYLOAD = "payload";

    /** The parameter of the call mode {@code unary} that asks for a waterfall instead of the squares. */
    private static final String TRACE = "trace";

    /** How many calls a request with a waterfall may make. */
    private static final int MOST_TRACED = 1_000;

    /** JSON comes first: it is produced if the client accepts both. */
    private static final List<MediaType> PRODUCED = List.of(MediaType.APPLICATION_JSON, MediaType.APPLICATION_NDJSON);

    @Bean
    RouterFunction<ServerResponse> routes() {
        return RouterFunctions.route()
                .GET(SQUARES, this::squares)
                .route(reading("/transports"), request -> states())
                .route(reading(LATENCY), this::latency)
                .route(
                        RequestPredicates.path(SQUARES)
                                .or(RequestPredicates.path("/transports"))
                                .or(RequestPredicates.path(LATENCY)),
                        ApiRoutes::onlyGet)
                .build();
    }

    /** HEAD is answered as GET is, without the body; of squares it would make calls for nothing. */
    private static RequestPredicate reading(String path) {
        return RequestPredicates.methods(HttpMethod.GET, HttpMethod.HEAD).and(RequestPredicates.path(path));
    }

    private Mono<ServerResponse> squares(ServerRequest request) {
        Transport transport = transport(request.pathVariable("transport"));
        String name = request.pathVariable("mode");
        if (name.equals(CallMode.QUEUE.text()) && transport.variant().modes().contains(CallMode.QUEUE)) {
            throw Problems.problem(
                    HttpStatus.GONE,
                    "One-way messages do not pass the aggregator; two programs measure them: ./chatterbox compare --workload 'queue calls=10000' --transports %s"
                            .formatted(transport.name()));
        }
        CallMode mode = mode(transport, name);
        Work work = work(mode, request);
        String refusal = transport.refusal(work);
        if (refusal != null) {
            throw Problems.problem(HttpStatus.BAD_REQUEST, refusal);
        }
        if (mode == CallMode.UNARY && Parameters.has(request, TRACE, "true")) {
            return waterfall(transport, work);
        }
        return wantsLines(request) ? lines(transport, work, request) : array(transport, work, request);
    }

    private @Nullable RequestTrace sampled(Transport transport, Work work, ServerRequest request) {
        return traces.areSampled()
                ? traces.sampled(
                        transport.variant(),
                        work.mode(),
                        work.messages(),
                        request.headers().firstHeader(Traces.PARENT))
                : null;
    }

    private Mono<ServerResponse> waterfall(Transport transport, Work work) {
        if (work.n() > MOST_TRACED) {
            throw Problems.problem(
                    HttpStatus.BAD_REQUEST,
                    "A request with a waterfall makes %d calls at the most, not %d".formatted(MOST_TRACED, work.n()));
        }
        return traces.waterfall(transport.variant(), work.n(), trace -> transport.squares(work, () -> trace))
                .switchIfEmpty(Mono.error(() -> Problems.problem(
                        HttpStatus.TOO_MANY_REQUESTS,
                        "Another request is being traced: one at a time is. Ask again in a moment")))
                .flatMap(waterfall -> ServerResponse.ok().bodyValue(waterfall));
    }

    private static CallMode mode(Transport transport, String name) {
        return CallMode.find(name)
                .filter(transport.modes()::contains)
                .orElseThrow(() -> Problems.problem(
                        HttpStatus.NOT_FOUND,
                        "The transport '%s' has no call mode '%s'; it has: %s"
                                .formatted(transport.name(), name, CallMode.names(transport.modes()))));
    }

    private Work work(CallMode mode, ServerRequest request) {
        int n = Parameters.n(request, properties.maxCalls());
        Parameters.requireKnown(
                request,
                mode,
                switch (mode) {
                    case BATCH -> List.of(SIZE, PAYLOAD, CallWork.BURN, CallWork.WAIT);
                    case UNARY -> List.of(PAYLOAD, CallWork.BURN, CallWork.WAIT, TRACE);
                    default -> List.of(PAYLOAD, CallWork.BURN, CallWork.WAIT);
                });
        CallWork ofCall = Parameters.work(request, n);
        int payload = Parameters.number(request, PAYLOAD, 0, SquareRequest.MOST_PAYLOAD, 0);
        int size = mode == CallMode.BATCH ? Parameters.number(request, SIZE, 1, Messages.MOST_INPUTS, DEFAULT_SIZE) : 1;
        return new Work(mode, n, Math.min(size, n), payload, ofCall);
    }

    private Mono<ServerResponse> array(Transport transport, Work work, ServerRequest request) {
        return transport.squares(work, () -> sampled(transport, work, request)).flatMap(squares -> {
            byte[] json = SquaresJson.array(squares);
            return ServerResponse.ok()
                    .contentType(MediaType.APPLICATION_JSON)
                    .contentLength(json.length)
                    .bodyValue(json);
        });
    }

    /**
     * A failure before the first line is an answer of its own, with its status; one after it can only be the last
     * line.
     */
    private Mono<ServerResponse> lines(Transport transport, Work work, ServerRequest request) {
        AtomicBoolean hasBegun = new AtomicBoolean();
        Flux<String> lines = transport
                .replies(work, () -> sampled(transport, work, request), () -> disconnect(request))
                .doOnNext(first -> hasBegun.setPlain(true))
                .map(SquaresJson::lines)
                .onErrorResume(error -> hasBegun.getPlain(), error -> Mono.just(problems.line(error)));
        Flux<DataBuffer> buffers = lines.map(ApiRoutes::buffer);
        return ServerResponse.ok()
                .contentType(MediaType.APPLICATION_NDJSON)
                .header(BUFFERING, "no")
                .body((response, context) -> response.writeAndFlushWith(buffers.map(Mono::just)));
    }

    private static void disconnect(ServerRequest request) {
        HttpServerResponse response =
                ServerHttpResponseDecorator.getNativeResponse(request.exchange().getResponse());
        response.withConnection(connection -> connection.channel().close());
    }

    private static DataBuffer buffer(String line) {
        return DefaultDataBufferFactory.sharedInstance.wrap(line.getBytes(StandardCharsets.UTF_8));
    }

    private Mono<ServerResponse> states() {
        return Flux.fromIterable(transports.all())
                .flatMapSequential(Transport::state)
                .collectList()
                .flatMap(states -> ServerResponse.ok().bodyValue(states));
    }

    private Mono<ServerResponse> latency(ServerRequest request) {
        return ServerResponse.ok()
                .bodyValue(transport(request.pathVariable("transport")).latency());
    }

    private Transport transport(String name) {
        Transport transport = transports.find(name);
        if (transport != null) {
            return transport;
        }
        String present =
                String.join(", ", transports.all().stream().map(Transport::name).toList());
        throw Problems.problem(
                HttpStatus.NOT_FOUND,
                variants.find(name).isEmpty()
                        ? "There is no transport '%s'; there are: %s".formatted(name, present)
                        : ("The transport '%1$s' is not started; ./chatterbox up --transports %1$s starts it, and this "
                                        + "aggregator has it if CHATTERBOX_TRANSPORTS names it; there are: %2$s")
                                .formatted(name, present));
    }

    /** Whether to answer in NDJSON: only if the client asks for it more specifically than for JSON. */
    private static boolean wantsLines(ServerRequest request) {
        List<MediaType> ranges = new ArrayList<>(request.headers().accept());
        MimeTypeUtils.sortBySpecificity(ranges);
        return !ranges.isEmpty()
                && ranges.stream()
                        .filter(range -> range.getQualityValue() > 0)
                        .flatMap(range -> PRODUCED.stream().filter(range::includes))
                        .findFirst()
                        .orElseThrow(() -> new NotAcceptableStatusException(PRODUCED))
                        .equals(MediaType.APPLICATION_NDJSON);
    }

    private static Mono<ServerResponse> onlyGet(ServerRequest request) {
        throw new MethodNotAllowedException(request.method(), List.of(HttpMethod.GET));
    }
}
