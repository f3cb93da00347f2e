package dev.chatterbox.square.rest;

import dev.chatterbox.square.common.Reply;
import dev.chatterbox.square.common.SquareResponder;
import java.util.List;
import java.util.regex.Pattern;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.web.reactive.HandlerMapping;
import org.springframework.web.reactive.function.server.RequestPredicates;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import org.springframework.web.reactive.function.server.support.RouterFunctionMapping;
import org.springframework.web.server.MethodNotAllowedException;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;

/** {@code GET /api/square/unary/{number}} answers the square as a JSON number. */
@Configuration(proxyBeanMethods = false)
class SquareRoutes {

    /** Up to ten digits; what is still larger than 2³¹−1 is found on parsing. */
    private static final Pattern NUMBER = Pattern.compile("[1-9][0-9]{0,9}");

    /** Before all other mappings: actuator's would each be asked first, whether the request is theirs. */
    @Bean
    HandlerMapping squares(SquareResponder responder) {
        RouterFunctionMapping mapping = new RouterFunctionMapping(routes(responder));
        mapping.setOrder(Ordered.HIGHEST_PRECEDENCE);
        return mapping;
    }

    private static RouterFunction<ServerResponse> routes(SquareResponder responder) {
        return RouterFunctions.route()
                .GET("/api/square/unary/{number}", request -> answer(request.pathVariable("number"), responder))
                .GET("/api/square/unary/", request -> answer("", responder))
                .route(RequestPredicates.path("/api/square/unary/{number}"), SquareRoutes::onlyGet)
                .build();
    }

    private static Mono<ServerResponse> answer(String number, SquareResponder responder) {
        return Mono.<Mono<ServerResponse>>create(sink -> answer(number, responder, new HttpReply(sink)))
                .flatMap(response -> response);
    }

    private static void answer(String number, SquareResponder responder, Reply reply) {
        long value = NUMBER.matcher(number).matches() ? Long.parseLong(number) : 0;
        if (value < 1 || value > Integer.MAX_VALUE) {
            responder.refuse("the number must be 1 to " + Integer.MAX_VALUE + ", but it is '" + number + "'", reply);
        } else {
            responder.answer((int) value, reply);
        }
    }

    private static Mono<ServerResponse> onlyGet(ServerRequest request) {
        return Mono.error(new MethodNotAllowedException(request.method(), List.of(HttpMethod.GET)));
    }

    private record HttpReply(MonoSink<Mono<ServerResponse>> sink) implements Reply {

        @Override
        public void square(int number, long square) {
            sink.success(Mono.just(new NumberResponse(square)));
        }

        @Override
        public void error(int code, String reason) {
            sink.success(ServerResponse.status(code)
                    .contentType(MediaType.APPLICATION_PROBLEM_JSON)
                    .bodyValue(ProblemDetail.forStatusAndDetail(HttpStatus.valueOf(code), reason)));
        }
    }
}
