package dev.chatterbox.aggregator.web;

import dev.chatterbox.aggregator.fanout.FanOutProperties;
import dev.chatterbox.aggregator.fanout.Transport;
import dev.chatterbox.aggregator.fanout.Transports;
import dev.chatterbox.rows.Rows;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;
import org.springframework.util.MimeTypeUtils;
import org.springframework.web.reactive.function.server.RequestPredicates;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import org.springframework.web.server.MethodNotAllowedException;
import org.springframework.web.server.NotAcceptableStatusException;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The API: {@code GET /{transport}/square/unary/{n}}, {@code GET /transports} and
 * {@code GET /transports/{transport}/latency}.
 */
@Configuration(proxyBeanMethods = false)
class ApiRoutes {

    private static final String LATENCY = "/transports/{transport}/latency";
    private static final Pattern NUMBER = Pattern.compile("[1-9][0-9]*");
    private static final List<MediaType> PRODUCED = List.of(MediaType.APPLICATION_JSON, MediaType.APPLICATION_NDJSON);

    private final Rows rows;
    private final Transports transports;
    private final FanOutProperties properties;
    private final Problems problems;

    ApiRoutes(Rows rows, Transports transports, FanOutProperties properties, Problems problems) {
        this.rows = rows;
        this.transports = transports;
        this.properties = properties;
        this.problems = problems;
    }

    @Bean
    RouterFunction<ServerResponse> routes() {
        return RouterFunctions.route()
                .GET("/{transport}/square/unary/{n}", this::squares)
                .GET("/transports", request -> states())
                .GET(LATENCY, this::latency)
                .route(
                        RequestPredicates.path("/{transport}/square/unary/{n}")
                                .or(RequestPredicates.path("/transports"))
                                .or(RequestPredicates.path(LATENCY)),
                        ApiRoutes::onlyGet)
                .build();
    }

    private Mono<ServerResponse> squares(ServerRequest request) {
        Transport transport = transport(request.pathVariable("transport"));
        int n = number(request.pathVariable("n"));
        return wantsLines(request) ? lines(transport, n) : array(transport, n);
    }

    private Mono<ServerResponse> array(Transport transport, int n) {
        return transport.squares(n).flatMap(squares -> {
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
    private Mono<ServerResponse> lines(Transport transport, int n) {
        AtomicBoolean begun = new AtomicBoolean();
        Flux<String> lines = transport.stream(n)
                .doOnNext(first -> begun.setPlain(true))
                .map(SquaresJson::line)
                .onErrorResume(error -> begun.getPlain(), error -> Mono.just(problems.line(error)));
        Flux<DataBuffer> buffers = lines.map(ApiRoutes::buffer);
        return ServerResponse.ok()
                .contentType(MediaType.APPLICATION_NDJSON)
                .body((response, context) -> response.writeAndFlushWith(buffers.map(Mono::just)));
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
        throw new ProblemException(
                HttpStatus.NOT_FOUND,
                rows.find(name).isEmpty()
                        ? "There is no transport '%s'; there are: %s".formatted(name, present)
                        : ("The transport '%1$s' is not started; ./chatterbox up --transports %1$s starts it, and this "
                                        + "aggregator has it if CHATTERBOX_TRANSPORTS names it; there are: %2$s")
                                .formatted(name, present));
    }

    private int number(String text) {
        boolean valid = NUMBER.matcher(text).matches()
                // Longer than any int: not to be parsed, however many digits there are.
                && text.length() <= 9
                && Integer.parseInt(text) <= properties.maxCalls();
        if (!valid) {
            throw new ProblemException(
                    HttpStatus.BAD_REQUEST,
                    "n must be a whole number from 1 to %d, in plain digits without a sign or leading zeros; it is '%s'"
                            .formatted(properties.maxCalls(), text));
        }
        return Integer.parseInt(text);
    }

    /** NDJSON where it is asked for more specifically than JSON; JSON where either would do. */
    private static boolean wantsLines(ServerRequest request) {
        List<MediaType> accepted;
        try {
            accepted = request.headers().accept();
        } catch (InvalidMediaTypeException e) {
            throw new NotAcceptableStatusException("The Accept header cannot be read: " + e.getMessage());
        }
        if (accepted.isEmpty()) {
            return false;
        }
        List<MediaType> ranges = new java.util.ArrayList<>(accepted);
        MimeTypeUtils.sortBySpecificity(ranges);
        for (MediaType range : ranges) {
            if (range.getQualityValue() > 0 && range.includes(MediaType.APPLICATION_JSON)) {
                return false;
            }
            if (range.getQualityValue() > 0 && range.includes(MediaType.APPLICATION_NDJSON)) {
                return true;
            }
        }
        throw new NotAcceptableStatusException(PRODUCED);
    }

    private static Mono<ServerResponse> onlyGet(ServerRequest request) {
        throw new MethodNotAllowedException(request.method(), List.of(HttpMethod.GET));
    }
}
