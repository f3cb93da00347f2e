package dev.chatterbox.aggregator.rest;

import dev.chatterbox.aggregator.client.CallException;
import dev.chatterbox.aggregator.client.ClientSettings;
import dev.chatterbox.aggregator.client.SquareRequest;
import dev.chatterbox.rows.Row;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpMethod;
import java.nio.charset.StandardCharsets;
import org.reactivestreams.Publisher;
import reactor.netty.Connection;
import reactor.netty.NettyOutbound;
import reactor.netty.http.client.HttpClient;
import reactor.netty.http.client.HttpClientRequest;
import reactor.netty.http.client.HttpClientResponse;

/**
 * Reactor Netty's HttpClient without WebClient, over HTTP/1.1 or HTTP/2 as the row says. Replies arrive on Reactor
 * Netty's event loops, a deadline's error on Reactor's timer.
 */
class RestNettySquareClient extends PooledRestClient<RestNettySquareClient.Target> {

    /** @param path up to the number */
    record Target(HttpClient.RequestSender get, String path) {}

    RestNettySquareClient(Row row, ClientSettings told, MeterRegistry meters) {
        super(row, told, meters, server -> new Target(server.http().request(HttpMethod.GET), server.path()));
    }

    @Override
    void send(Target target, long correlationId, SquareRequest request) {
        Exchange exchange = new Exchange(correlationId, request);
        pending.disposeWithCall(correlationId, exchange);
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
            // The body of an error reply is not read.
            if (isDisposed() || status != 200) {
                return;
            }
            try {
                body = RestLink.joined(body, part.toString(StandardCharsets.US_ASCII));
            } catch (CallException e) {
                dispose();
                pending.fail(correlationId, e);
            }
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
}
