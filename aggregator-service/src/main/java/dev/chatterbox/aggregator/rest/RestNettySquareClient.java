package dev.chatterbox.aggregator.rest;

import dev.chatterbox.aggregator.client.CallException;
import dev.chatterbox.aggregator.client.ClientSettings;
import dev.chatterbox.aggregator.client.PendingCalls;
import dev.chatterbox.aggregator.client.SquareClient;
import dev.chatterbox.aggregator.client.SquareReply;
import dev.chatterbox.aggregator.client.SquareRequest;
import dev.chatterbox.rows.Row;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpMethod;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;
import reactor.netty.Connection;
import reactor.netty.NettyOutbound;
import reactor.netty.http.client.HttpClient;
import reactor.netty.http.client.HttpClientRequest;
import reactor.netty.http.client.HttpClientResponse;

/**
 * Reactor Netty's HttpClient without WebClient, over HTTP/1.1 or HTTP/2 as the row says. Replies arrive on Reactor
 * Netty's event loops, a deadline's error on Reactor's timer.
 */
class RestNettySquareClient implements SquareClient {

    private final RestLink link;
    private final PendingCalls pending;
    private final PendingCalls.Sender sender = this::send;
    private final List<Target> targets;
    private final AtomicInteger turn = new AtomicInteger();

    /** @param path up to the number */
    private record Target(HttpClient.RequestSender get, String path) {}

    RestNettySquareClient(Row row, ClientSettings told, MeterRegistry meters) {
        link = new RestLink(row, told.as(RestSettings.class));
        pending = new PendingCalls(row.name(), link.maxInFlight(), meters);
        targets = link.servers().stream()
                .map(server -> new Target(server.http().request(HttpMethod.GET), server.path()))
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
        target.get
                .uri(target.path + request.number())
                .send(exchange::sending)
                .responseConnection(exchange::answered)
                .subscribe(exchange);
    }

    private final class Exchange extends HttpExchange<ByteBuf> {

        private final long correlationId;
        private final SquareRequest request;
        private int status;
        private String body = "";

        Exchange(long correlationId, SquareRequest request) {
            this.correlationId = correlationId;
            this.request = request;
        }

        Publisher<Void> sending(HttpClientRequest sending, NettyOutbound outbound) {
            outbound.withConnection(this::sentOn);
            return outbound;
        }

        Publisher<ByteBuf> answered(HttpClientResponse response, Connection connection) {
            status = response.status().code();
            return connection.inbound().receive();
        }

        @Override
        public void onNext(ByteBuf part) {
            body = body.concat(part.toString(StandardCharsets.US_ASCII));
        }

        @Override
        public void onError(Throwable error) {
            pending.fail(correlationId, RestLink.callException(error));
        }

        @Override
        public void onComplete() {
            try {
                if (status != 200) {
                    throw RestLink.errorReply(status);
                }
                pending.reply(correlationId, request.number(), RestLink.number(body));
            } catch (CallException e) {
                pending.fail(correlationId, e);
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
