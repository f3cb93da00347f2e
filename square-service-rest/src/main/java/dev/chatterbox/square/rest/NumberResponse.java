package dev.chatterbox.square.rest;

import java.nio.charset.StandardCharsets;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseCookie;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.util.MultiValueMap;
import org.springframework.web.reactive.function.server.ServerResponse;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** A JSON number with status 200, written as it is: no codec is looked for, and no ETag or date compared. */
record NumberResponse(long number) implements ServerResponse {

    @Override
    public HttpStatusCode statusCode() {
        return HttpStatus.OK;
    }

    @Override
    public HttpHeaders headers() {
        HttpHeaders headers = new HttpHeaders();
        headers.setContentType(MediaType.APPLICATION_JSON);
        return headers;
    }

    @Override
    public MultiValueMap<String, ResponseCookie> cookies() {
        return new LinkedMultiValueMap<>();
    }

    @Override
    public Mono<Void> writeTo(ServerWebExchange exchange, Context context) {
        byte[] body = Long.toString(number).getBytes(StandardCharsets.US_ASCII);
        ServerHttpResponse response = exchange.getResponse();
        response.setStatusCode(HttpStatus.OK);
        response.getHeaders().set(HttpHeaders.CONTENT_TYPE, MediaType.APPLICATION_JSON_VALUE);
        response.getHeaders().setContentLength(body.length);
        return response.writeWith(Mono.just(response.bufferFactory().wrap(body)));
    }
}
