package dev.chatterbox.rest;

import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.reactivestreams.Publisher;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferFactory;
import org.springframework.core.io.buffer.NettyDataBufferFactory;
import org.springframework.http.HttpCookie;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ResponseCookie;
import org.springframework.http.client.reactive.ClientHttpConnector;
import org.springframework.http.client.reactive.ClientHttpRequest;
import org.springframework.http.client.reactive.ClientHttpResponse;
import org.springframework.http.support.Netty4HeadersAdapter;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.util.MultiValueMap;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.Connection;
import reactor.netty.NettyOutbound;
import reactor.netty.http.client.HttpClientRequest;
import reactor.netty.http.client.HttpClientResponse;

/**
 * Connects WebClient with Reactor Netty for requests to one server without cookies: GET without a body, and POST with
 * one buffer. It leaves out what Spring's ReactorClientHttpConnector does for other requests, such as watching the end
 * of each connection for its attributes.
 */
record RestConnector(PooledRestClient.Server server) implements ClientHttpConnector {

    @Override
    public Mono<ClientHttpResponse> connect(
            HttpMethod method, URI uri, Function<? super ClientHttpRequest, Mono<Void>> callback) {
        return (method == HttpMethod.GET ? server.get() : server.post())
                .uri(uri.toString())
                .send((request, outbound) -> callback.apply(new Request(method, uri, request, outbound)))
                .responseConnection(
                        (response, connection) -> Mono.<ClientHttpResponse>just(new Response(response, connection)))
                .next();
    }

    private record Request(HttpMethod method, URI uri, HttpClientRequest request, NettyOutbound outbound)
            implements ClientHttpRequest {

        @Override
        public HttpMethod getMethod() {
            return method;
        }

        @Override
        public URI getURI() {
            return uri;
        }

        @Override
        public HttpHeaders getHeaders() {
            return new HttpHeaders(new Netty4HeadersAdapter(request.requestHeaders()));
        }

        @Override
        public MultiValueMap<String, HttpCookie> getCookies() {
            return new LinkedMultiValueMap<>(0);
        }

        @Override
        public Map<String, Object> getAttributes() {
            return new HashMap<>();
        }

        @Override
        @SuppressWarnings("unchecked")
        public <T> T getNativeRequest() {
            return (T) request;
        }

        @Override
        public DataBufferFactory bufferFactory() {
            return new NettyDataBufferFactory(outbound.alloc());
        }

        @Override
        public void beforeCommit(Supplier<? extends Mono<Void>> action) {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean isCommitted() {
            return false;
        }

        @Override
        public Mono<Void> writeWith(Publisher<? extends DataBuffer> body) {
            return outbound.send(Mono.from(body).map(NettyDataBufferFactory::toByteBuf))
                    .then();
        }

        @Override
        public Mono<Void> writeAndFlushWith(Publisher<? extends Publisher<? extends DataBuffer>> body) {
            throw new UnsupportedOperationException();
        }

        /** Reactor Netty writes the head after this. */
        @Override
        public Mono<Void> setComplete() {
            return Mono.empty();
        }
    }

    private record Response(HttpClientResponse response, Connection connection) implements ClientHttpResponse {

        @Override
        public String getId() {
            return connection.channel().id().asShortText();
        }

        @Override
        public HttpStatusCode getStatusCode() {
            return HttpStatusCode.valueOf(response.status().code());
        }

        @Override
        public HttpHeaders getHeaders() {
            return new HttpHeaders(new Netty4HeadersAdapter(response.responseHeaders()));
        }

        @Override
        public MultiValueMap<String, ResponseCookie> getCookies() {
            return new LinkedMultiValueMap<>(0);
        }

        @Override
        public Flux<DataBuffer> getBody() {
            NettyDataBufferFactory buffers =
                    new NettyDataBufferFactory(connection.outbound().alloc());
            return connection.inbound().receive().retain().map(buffers::wrap);
        }
    }
}
