package dev.chatterbox.rest;

import dev.chatterbox.traces.ResponderWork;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ResponseCookie;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.util.MultiValueMap;
import org.springframework.web.reactive.function.server.ServerResponse;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/**
 * A body with status 200, written unchanged: Spring looks for no codec, and compares no ETag or date.
 *
 * @param work the header {@link ResponderWork#HEADER}; null if there is none
 */
record BytesResponse(
        String contentType, byte[] body, @Nullable String work) implements ServerResponse {

    @Override
    public HttpStatusCode statusCode() {
        return HttpStatus.OK;
    }

    @Override
    public HttpHeaders headers() {
        HttpHeaders headers = new HttpHeaders();
        headers.set(HttpHeaders.CONTENT_TYPE, contentType);
        return headers;
    }

    @Override
    public MultiValueMap<String, ResponseCookie> cookies() {
        return new LinkedMultiValueMap<>();
    }

    @Override
    public Mono<Void> writeTo(ServerWebExchange exchange, Context context) {
        ServerHttpResponse response = exchange.getResponse();
        response.setStatusCode(HttpStatus.OK);
        response.getHeaders().set(HttpHeaders.CONTENT_TYPE, contentType);
        response.getHeaders().setContentLength(body.length);
        if (work != null) {
            response.getHeaders().set(ResponderWork.HEADER, work);
        }
        return response.writeWith(Mono.just(response.bufferFactory().wrap(body)));
    }
}
