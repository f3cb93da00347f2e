package dev.chatterbox.aggregator.rest;

import dev.chatterbox.aggregator.client.CallException;
import dev.chatterbox.aggregator.client.ClientSettings;
import dev.chatterbox.aggregator.client.PendingCalls;
import dev.chatterbox.aggregator.client.SquareReply;
import dev.chatterbox.aggregator.client.SquareRequest;
import dev.chatterbox.aggregator.fanout.FanOutProperties;
import dev.chatterbox.rows.Row;
import io.micrometer.core.instrument.MeterRegistry;
import java.net.URI;
import java.util.function.Consumer;
import org.springframework.core.codec.ByteArrayDecoder;
import org.springframework.http.HttpHeaders;
import org.springframework.http.client.reactive.ClientHttpRequest;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Mono;
import reactor.netty.Connection;
import reactor.netty.http.client.HttpClient;

/**
 * WebClient: a call is an HTTP/1.1 request on a connection from a pool of its own. Replies arrive on Reactor Netty's
 * event loops, a deadline's error on Reactor's timer. What is done otherwise than WebClient's documentation shows
 * first, and what it brings, is told in docs/tuning.md.
 */
class RestSquareClient extends PooledRestClient<RestSquareClient.Target> {

    private static final byte[] EMPTY = {};

    /** @param path up to the name of the exchange */
    record Target(WebClient client, String path) {}

    RestSquareClient(
            Row row, ClientSettings told, FanOutProperties fanOut, MeterRegistry meters, WebClient.Builder builder) {
        super(row, told, fanOut, meters, server -> new Target(client(builder.clone(), server.http()), server.path()));
    }

    private static WebClient client(WebClient.Builder builder, HttpClient http) {
        return builder.codecs(codecs -> {
                    // The reply is one number, or bytes that are read here: no other codec is asked whether it can.
                    codecs.registerDefaults(false);
                    codecs.customCodecs().register(new NumberDecoder());
                    ByteArrayDecoder bytes = new ByteArrayDecoder();
                    bytes.setMaxInMemorySize(RestMessages.MOST_BYTES);
                    codecs.customCodecs().register(bytes);
                })
                .defaultStatusHandler(status -> status.value() != 200, RestSquareClient::errorReply)
                .clientConnector(new RestConnector(http))
                .build();
    }

    @Override
    void send(Target target, long correlationId, SquareRequest request) {
        if (RestMessages.hasBody(request)) {
            post(target, correlationId, request);
            return;
        }
        Exchange<Long> exchange = new Exchange<>(correlationId, RestSquareClient::number);
        pending.disposeWithCall(correlationId, exchange);
        target.client
                .get()
                .uri(URI.create(target.path + "unary/" + request.number()))
                .httpRequest(exchange)
                .retrieve()
                .bodyToMono(Long.class)
                .subscribe(exchange);
    }

    private static SquareReply number(SquareRequest request, Long square) {
        return request.reply(request.number(), square);
    }

    private void post(Target target, long correlationId, SquareRequest request) {
        byte[] body = RestMessages.body(request);
        Exchange<byte[]> exchange = new Exchange<>(correlationId, RestMessages::read);
        pending.disposeWithCall(correlationId, exchange);
        target.client
                .post()
                .uri(URI.create(target.path + RestMessages.path(request)))
                .header(HttpHeaders.CONTENT_TYPE, RestMessages.contentType(request))
                .contentLength(body.length)
                .httpRequest(exchange)
                .body((message, context) ->
                        message.writeWith(Mono.just(message.bufferFactory().wrap(body))))
                .retrieve()
                .bodyToMono(byte[].class)
                // A message without a field is no bytes.
                .defaultIfEmpty(EMPTY)
                .subscribe(exchange);
    }

    private static Mono<CallException> errorReply(ClientResponse response) {
        return response.releaseBody()
                .thenReturn(RestLink.errorReply(response.statusCode().value()));
    }

    /** @param <T> what the body of its reply is read as first */
    private final class Exchange<T> extends HttpExchange<T> implements Consumer<ClientHttpRequest> {

        private final long correlationId;
        private final PendingCalls.Reader<T> reader;
        private boolean answered;

        Exchange(long correlationId, PendingCalls.Reader<T> reader) {
            this.correlationId = correlationId;
            this.reader = reader;
        }

        @Override
        public void accept(ClientHttpRequest sending) {
            if (sending.getNativeRequest() instanceof Connection connection) {
                sentOn(connection);
            }
        }

        @Override
        public void onNext(T body) {
            answered = true;
            pending.reply(correlationId, body, reader);
        }

        @Override
        public void onError(Throwable error) {
            pending.fail(correlationId, RestLink.callException(error));
        }

        @Override
        public void onComplete() {
            if (!answered) {
                pending.fail(correlationId, RestLink.notANumber());
            }
        }
    }
}
