package dev.chatterbox.aggregator.web;

import dev.chatterbox.client.CallException;
import dev.chatterbox.client.Outcome;
import java.net.URI;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.stereotype.Component;
import org.springframework.util.InvalidMimeTypeException;
import org.springframework.web.ErrorResponse;
import org.springframework.web.ErrorResponseException;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebExceptionHandler;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

/** Turns every error into a problem detail of RFC 9457. It comes before Spring Boot's own handler, which is at −1. */
@Component
@Order(-2)
record Problems(JsonMapper mapper) implements WebExceptionHandler {

    private static final Logger log = LoggerFactory.getLogger(Problems.class);
    private static final String RETRY_AFTER_SECONDS = "1";

    @Override
    public Mono<Void> handle(ServerWebExchange exchange, Throwable error) {
        ServerHttpResponse response = exchange.getResponse();
        if (response.isCommitted()) {
            return Mono.error(error);
        }
        ProblemDetail problem = problem(error);
        // A path that begins with two slashes would name a host.
        problem.setInstance(URI.create(exchange.getRequest().getPath().value().replaceFirst("^/+", "/")));
        response.setRawStatusCode(problem.getStatus());
        HttpHeaders headers = response.getHeaders();
        headers.remove(HttpHeaders.CONTENT_LENGTH);
        if (error instanceof ErrorResponse known) {
            headers.addAll(known.getHeaders());
        }
        headers.setContentType(MediaType.APPLICATION_PROBLEM_JSON);
        if (problem.getStatus() == HttpStatus.SERVICE_UNAVAILABLE.value()
                || problem.getStatus() == HttpStatus.TOO_MANY_REQUESTS.value()) {
            headers.set(HttpHeaders.RETRY_AFTER, RETRY_AFTER_SECONDS);
        }
        byte[] body = mapper.writeValueAsBytes(problem);
        headers.setContentLength(body.length);
        return response.writeWith(Mono.just(response.bufferFactory().wrap(body)));
    }

    /** {@code {"error":<problem detail>}} and a line feed: the end of an answer that had begun. */
    String line(Throwable error) {
        return "{\"error\":" + mapper.writeValueAsString(problem(error)) + "}\n";
    }

    /**
     * An answer that is an error. It has no stack trace: the detail says all, and bad requests may come in any number.
     *
     * @param detail what was wrong with a request, and what would be right
     */
    static ErrorResponseException problem(HttpStatus status, String detail) {
        return new ErrorResponseException(status, ProblemDetail.forStatusAndDetail(status, detail), null) {
            @Override
            public synchronized Throwable fillInStackTrace() {
                return this;
            }
        };
    }

    private static ProblemDetail problem(Throwable error) {
        if (error instanceof CallException call) {
            return ProblemDetail.forStatusAndDetail(status(call.outcome()), String.valueOf(call.getMessage()));
        }
        if (error instanceof ResponseStatusException unknown && unknown.getStatusCode() == HttpStatus.NOT_FOUND) {
            return ProblemDetail.forStatusAndDetail(
                    HttpStatus.NOT_FOUND,
                    "There is nothing here; there are /, /transports, /transports/{transport}/latency and"
                            + " /{transport}/square/{mode}/{n}");
        }
        if (error instanceof ErrorResponse known) {
            return known.getBody();
        }
        if (error instanceof InvalidMediaTypeException || error instanceof InvalidMimeTypeException) {
            return ProblemDetail.forStatusAndDetail(
                    HttpStatus.NOT_ACCEPTABLE, "The Accept header cannot be read, or has more than 50 media types.");
        }
        log.error("A request failed for a reason that is not known", error);
        return ProblemDetail.forStatusAndDetail(
                HttpStatus.INTERNAL_SERVER_ERROR, "This is a fault of the aggregator; its log says more.");
    }

    private static HttpStatus status(Outcome outcome) {
        return switch (outcome) {
            case TIMEOUT -> HttpStatus.GATEWAY_TIMEOUT;
            case UNAVAILABLE -> HttpStatus.SERVICE_UNAVAILABLE;
            default -> HttpStatus.BAD_GATEWAY;
        };
    }
}
