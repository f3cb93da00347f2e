package dev.chatterbox.aggregator.rest;

import dev.chatterbox.aggregator.client.CallException;
import dev.chatterbox.aggregator.client.ClientSettings;
import dev.chatterbox.aggregator.client.PendingCalls;
import dev.chatterbox.aggregator.client.SquareClient;
import dev.chatterbox.aggregator.client.SquareReply;
import dev.chatterbox.aggregator.client.SquareRequest;
import dev.chatterbox.rows.Row;
import io.micrometer.core.instrument.MeterRegistry;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.springframework.http.client.reactive.ClientHttpRequest;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Mono;
import reactor.netty.Connection;

/**
 * WebClient: a call is an HTTP/1.1 request on a connection from a pool of its own. Replies arrive on Reactor Netty's
 * event loops, a deadline's error on Reactor's timer. What is done otherwise than WebClient's documentation shows
 * first, and what it brings, is told in docs/tuning.md.
 */
class RestSquareClient implements SquareClient {

    private final RestLink link;
    private final PendingCalls pending;
    private final PendingCalls.Sender sender = this::send;
    private final List<Target> targets;
    private final AtomicInteger turn = new AtomicInteger();

    /** @param path up to the number */
    private record Target(WebClient client, String path) {}

    RestSquareClient(Row row, ClientSettings told, MeterRegistry meters, WebClient.Builder builder) {
        link = new RestLink(row, told.as(RestSettings.class));
        pending = new PendingCalls(row.name(), link.maxInFlight(), meters);
        builder.codecs(codecs -> {
                    // The reply is one number: no other codec is asked whether it can read it.
                    codecs.registerDefaults(false);
                    codecs.customCodecs().register(new NumberDecoder());
                })
                .defaultStatusHandler(status -> status.value() != 200, RestSquareClient::errorReply);
        targets = link.servers().stream()
                .map(server -> new Target(
                        builder.clientConnector(new RestConnector(server.http()))
                                .build(),
                        server.path()))
                .toList();
    }

    @Override
    public Mono<SquareReply> square(SquareRequest request) {
        return pending.call(request, sender);
    }

    private void send(long correlationId, SquareRequest request) {
        Exchange exchange = new Exchange(correlationId, request);
        pending.disposeWithCall(correlationId, exchange);
        Target target = targets.get(targets.size() == 1 ? 0 : Math.floorMod(turn.getAndIncrement(), targets.size()));
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

    @Override
    public Mono<Void> check() {
        return link.check();
    }

    @Override
    public Map<String, Object> settings() {
        return link.settings();
    }

    @Override
    public int maxInFlight() {
        return link.maxInFlight();
    }

    /** How many calls are outstanding; for tests. */
    int outstanding() {
        return pending.size();
    }

    @Override
    public void start() {}

    @Override
    public void stop() {
        pending.close();
        link.close();
    }
}
