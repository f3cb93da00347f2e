package dev.chatterbox.square.common;

import dev.chatterbox.responder.SquareResponder;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;
import tools.jackson.core.JacksonException;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/**
 * {@code /faults}: GET shows the faults, PUT sets those that the body names. Only a peer on this machine that has the
 * token may use it; everybody else gets 404, and so does everybody if no token is set.
 *
 * @param token empty if nobody may use the routes
 */
record FaultRoutes(SquareResponder responder, String token) {

    static final String PATH = "/faults";

    private static final TypeReference<Map<String, Object>> MEMBERS = new TypeReference<>() {};

    private static final JsonMapper JSON = new JsonMapper();

    static RouterFunction<ServerResponse> of(SquareResponder responder, String token) {
        FaultRoutes routes = new FaultRoutes(responder, token);
        return RouterFunctions.route()
                .GET(PATH, routes::permits, request -> routes.show())
                .PUT(PATH, routes::permits, routes::change)
                .build();
    }

    private boolean permits(ServerRequest request) {
        return !token.isEmpty()
                && request.remoteAddress().filter(FaultRoutes::isLoopback).isPresent()
                && hasToken(request.headers().firstHeader(HttpHeaders.AUTHORIZATION));
    }

    private static boolean isLoopback(InetSocketAddress peer) {
        return peer.getAddress() != null && peer.getAddress().isLoopbackAddress();
    }

    /** The comparison takes the same time however much of the token is right. */
    private boolean hasToken(@Nullable String authorization) {
        return authorization != null
                && MessageDigest.isEqual(
                        authorization.getBytes(StandardCharsets.UTF_8),
                        ("Bearer " + token).getBytes(StandardCharsets.UTF_8));
    }

    private Mono<ServerResponse> change(ServerRequest request) {
        return request.bodyToMono(String.class).defaultIfEmpty("").flatMap(body -> {
            try {
                Map<String, Object> members = JSON.readValue(body, MEMBERS);
                if (members == null) {
                    return refused("the body must be a JSON object, but it is null");
                }
                responder.change(faults -> faults.with(members));
                return show();
            } catch (JacksonException e) {
                return refused("the body must be a JSON object: " + e.getOriginalMessage());
            } catch (IllegalArgumentException e) {
                return refused(String.valueOf(e.getMessage()));
            }
        });
    }

    private Mono<ServerResponse> show() {
        return ServerResponse.ok()
                .contentType(MediaType.APPLICATION_JSON)
                .bodyValue(responder.faults().members());
    }

    private static Mono<ServerResponse> refused(String reason) {
        return ServerResponse.badRequest()
                .contentType(MediaType.APPLICATION_PROBLEM_JSON)
                .bodyValue(ProblemDetail.forStatusAndDetail(HttpStatus.BAD_REQUEST, reason));
    }
}
