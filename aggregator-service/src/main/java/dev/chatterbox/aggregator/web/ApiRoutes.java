package dev.chatterbox.aggregator.web;

import dev.chatterbox.aggregator.client.SquareRequest;
import dev.chatterbox.aggregator.fanout.FanOutProperties;
import dev.chatterbox.aggregator.fanout.Transport;
import dev.chatterbox.aggregator.fanout.Transports;
import dev.chatterbox.aggregator.fanout.Work;
import dev.chatterbox.proto.Messages;
import dev.chatterbox.rows.Rows;
import dev.chatterbox.transport.Exchange;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
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
 * The API: {@code GET /{transport}/square/{exchange}/{n}}, {@code GET /transports} and
 * {@code GET /transports/{transport}/latency}.
 */
@Configuration(proxyBeanMethods = false)
class ApiRoutes {

    private static final String SQUARES = "/{transport}/square/{exchange}/{n}";
    private static final String LATENCY = "/transports/{transport}/latency";

    /** The parameter with the number of inputs in a message of a batch. */
    private static final String SIZE = "size";

    private static final int DEFAULT_SIZE = 100;

    /** The parameter with the bytes of each input's payload. */
    private static final String PAYLOAD = "payload";

    /** At most nine digits, so that the number fits into an int. */
    private static final Pattern NUMBER = Pattern.compile("0|[1-9][0-9]{0,8}");

    /** JSON comes first: it is produced if the client accepts both. */
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
                .GET(SQUARES, this::squares)
                .GET("/transports", request -> states())
                .GET(LATENCY, this::latency)
                .route(
                        RequestPredicates.path(SQUARES)
                                .or(RequestPredicates.path("/transports"))
                                .or(RequestPredicates.path(LATENCY)),
                        ApiRoutes::onlyGet)
                .build();
    }

    private Mono<ServerResponse> squares(ServerRequest request) {
        Transport transport = transport(request.pathVariable("transport"));
        Work work = work(exchange(transport, request.pathVariable("exchange")), request);
        String refusal = transport.refusal(work);
        if (refusal != null) {
            throw Problems.problem(HttpStatus.BAD_REQUEST, refusal);
        }
        return wantsLines(request) ? lines(transport, work) : array(transport, work);
    }

    private static Exchange exchange(Transport transport, String name) {
        return Exchange.find(name)
                .filter(transport.exchanges()::contains)
                .orElseThrow(() -> Problems.problem(
                        HttpStatus.NOT_FOUND,
                        "The transport '%s' has no exchange '%s'; it has: %s"
                                .formatted(transport.name(), name, Exchange.names(transport.exchanges()))));
    }

    private Work work(Exchange exchange, ServerRequest request) {
        int n = number("n must be a whole number", request.pathVariable("n"), 1, properties.maxCalls());
        requireParameters(request, exchange, exchange == Exchange.BATCH ? List.of(SIZE, PAYLOAD) : List.of(PAYLOAD));
        return switch (exchange) {
            case UNARY -> Work.unary(n, payload(request));
            case STREAM -> Work.stream(n, payload(request));
            case BATCH ->
                Work.batch(n, parameter(request, SIZE, 1, Messages.MOST_INPUTS, DEFAULT_SIZE), payload(request));
        };
    }

    private static void requireParameters(ServerRequest request, Exchange exchange, List<String> known) {
        request.queryParams().forEach((name, values) -> {
            if (!known.contains(name)) {
                throw Problems.problem(
                        HttpStatus.BAD_REQUEST,
                        "There is no parameter '%s' of the exchange %s; there is: %s"
                                .formatted(name, exchange.text(), String.join(", ", known)));
            }
        });
    }

    private static int payload(ServerRequest request) {
        return parameter(request, PAYLOAD, 0, SquareRequest.MOST_PAYLOAD, 0);
    }

    private static int parameter(ServerRequest request, String name, int least, int most, int otherwise) {
        List<String> values = request.queryParams().get(name);
        return values == null
                ? otherwise
                : number(
                        name + " must be one whole number",
                        values.stream()
                                .map(value -> Objects.toString(value, ""))
                                .collect(Collectors.joining(", ")),
                        least,
                        most);
    }

    /** @param required begins the error message, before the bounds */
    private static int number(String required, String text, int least, int most) {
        int number = NUMBER.matcher(text).matches() ? Integer.parseInt(text) : -1;
        if (number < least || number > most) {
            throw Problems.problem(
                    HttpStatus.BAD_REQUEST,
                    "%s from %d to %d, in plain digits without a sign or leading zeros; it is '%s'"
                            .formatted(required, least, most, text));
        }
        return number;
    }

    private Mono<ServerResponse> array(Transport transport, Work work) {
        return transport.squares(work).flatMap(squares -> {
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
    private Mono<ServerResponse> lines(Transport transport, Work work) {
        AtomicBoolean begun = new AtomicBoolean();
        Flux<String> lines = transport
                .replies(work)
                .doOnNext(first -> begun.setPlain(true))
                .map(SquaresJson::lines)
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
        throw Problems.problem(
                HttpStatus.NOT_FOUND,
                rows.find(name).isEmpty()
                        ? "There is no transport '%s'; there are: %s".formatted(name, present)
                        : ("The transport '%1$s' is not started; ./chatterbox up --transports %1$s starts it, and this "
                                        + "aggregator has it if CHATTERBOX_TRANSPORTS names it; there are: %2$s")
                                .formatted(name, present));
    }

    /** Whether to answer in NDJSON: only if the client asks for it more specifically than for JSON. */
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
        List<MediaType> ranges = new ArrayList<>(accepted);
        MimeTypeUtils.sortBySpecificity(ranges);
        return ranges.stream()
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
