package dev.chatterbox.rest;

import dev.chatterbox.client.CallException;
import dev.chatterbox.client.Deviation;
import dev.chatterbox.client.MessageLimit;
import dev.chatterbox.client.SquareClient;
import dev.chatterbox.client.SquareReply;
import dev.chatterbox.client.SquareRequest;
import dev.chatterbox.client.StockCalls;
import dev.chatterbox.http.HttpMessages;
import dev.chatterbox.proto.Output;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.springframework.core.codec.CodecException;
import org.springframework.http.MediaType;
import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.web.reactive.function.client.WebClientResponseException;
import reactor.core.publisher.Mono;

/**
 * What Spring's documentation of WebClient shows first: {@code WebClient.create(url)} and
 * {@code retrieve().bodyToMono()}, with the defaults of Spring and Reactor Netty. Replies arrive on Reactor Netty's
 * event loops, the deadline's error on Reactor's timer.
 */
class RestStockSquareClient implements SquareClient {

    /** The limit of Reactor Netty's own pool for each remote address (HttpResources). */
    private static final int CONNECTIONS = 500;

    private static final MessageLimit LIMIT = new MessageLimit(256 << 10, "Spring's limit on a body in memory");

    private final URI url;
    private final WebClient client;
    private final StockCalls calls = new StockCalls(RestStockSquareClient::callException);

    /** Of several urls, it uses the first. */
    RestStockSquareClient(RestSettings settings) {
        url = settings.urls().get(0);
        client = WebClient.create(url.toString());
    }

    @Override
    public Mono<SquareReply> square(SquareRequest request) {
        return calls.timed(
                request,
                () -> (request.payload() == 0 ? get(request) : post(request))
                        // An empty body, and null, give no element.
                        .switchIfEmpty(Mono.error(() -> CallException.error("an empty reply"))));
    }

    private Mono<SquareReply> post(SquareRequest request) {
        return client.post()
                .uri("/api/square/unary")
                .contentType(MediaType.APPLICATION_PROTOBUF)
                .bodyValue(request.input())
                .retrieve()
                .bodyToMono(Output.class)
                .map(output -> request.reply(output));
    }

    private Mono<SquareReply> get(SquareRequest request) {
        return client.get()
                .uri("/api/square/unary/{number}" + request.work().query(), request.number())
                .retrieve()
                .bodyToMono(Long.class)
                .map(square -> request.reply(request.number(), square));
    }

    private static CallException callException(Throwable error) {
        if (error instanceof WebClientResponseException response
                && response.getStatusCode().isError()) {
            return HttpMessages.errorReply(response.getStatusCode().value());
        }
        return error instanceof CodecException ? HttpMessages.notANumber() : CallException.noAnswer(error.getMessage());
    }

    @Override
    public Mono<Void> check() {
        return PooledRestClient.check(List.of(url));
    }

    @Override
    public Set<Deviation> deviations() {
        return Set.of(Deviation.IGNORES_THE_STOP);
    }

    @Override
    public MessageLimit messageLimit() {
        return LIMIT;
    }

    @Override
    public Map<String, Object> settings() {
        return Map.of("urls", url.toString(), "connections", CONNECTIONS);
    }

    @Override
    public int maxInFlight() {
        return CONNECTIONS;
    }

    @Override
    public void stop() {
        calls.stop();
    }
}
