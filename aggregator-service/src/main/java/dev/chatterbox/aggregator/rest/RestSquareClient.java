package dev.chatterbox.aggregator.rest;

import dev.chatterbox.aggregator.client.CallException;
import dev.chatterbox.aggregator.client.ClientSettings;
import dev.chatterbox.aggregator.client.SquareRequest;
import dev.chatterbox.rows.Row;
import io.micrometer.core.instrument.MeterRegistry;
import java.net.URI;
import java.util.function.Consumer;
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

    /** @param path up to the number */
    record Target(WebClient client, String path) {}

    RestSquareClient(Row row, ClientSettings told, MeterRegistry meters, WebClient.Builder builder) {
        super(row, told, meters, server -> new Target(client(builder.clone(), server.http()), server.path()));
    }

    private static WebClient client(WebClient.Builder builder, HttpClient http) {
        return builder.codecs(codecs -> {
                    // The reply is one number: no other codec is asked whether it can read it.
                    codecs.registerDefaults(false);
                    codecs.customCodecs().register(new NumberDecoder());
                })
                .defaultStatusHandler(status -> status.value() != 200, RestSquareClient::errorReply)
                .clientConnector(new RestConnector(http))
                .build();
    }

    @Override
    void send(Target target, long correlationId, SquareRequest request) {
        Exchange exchange = new Exchange(correlationId, request);
        pending.disposeWithCall(correlationId, exchange);
        target.client
                .get()
                .uri(URI.create(target.path + request.number()))
                .httpRequest(exchange)
                .retrieve()
                .bodyToMono(Long.class)
                .subscribe(exchange);
    }

    private static Mono<CallException> errorReply(ClientResponse response) {
        return response.releaseBody()
                .thenReturn(RestLink.errorReply(response.statusCode().value()));
    }

    private final class Exchange extends HttpExchange<Long> implements Consumer<ClientHttpRequest> {

        private final long correlationId;
        private final SquareRequest request;
        private boolean answered;

        Exchange(long correlationId, SquareRequest request) {
            this.correlationId = correlationId;
            this.request = request;
        }

        @Override
        public void accept(ClientHttpRequest sending) {
            if (sending.getNativeRequest() instanceof Connection connection) {
                sentOn(connection);
            }
        }

        @Override
        public void onNext(Long square) {
            answered = true;
            pending.reply(correlationId, request.number(), square);
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
