package dev.chatterbox.rest;

import dev.chatterbox.client.CallException;
import dev.chatterbox.client.CallLimits;
import dev.chatterbox.client.CallTrace;
import dev.chatterbox.client.SquareRequest;
import dev.chatterbox.http.HttpMessages;
import dev.chatterbox.traces.ResponderWork;
import dev.chatterbox.traces.Traces;
import dev.chatterbox.variants.Variant;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.handler.codec.http.HttpHeaderNames;
import java.io.ByteArrayOutputStream;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;
import reactor.netty.Connection;
import reactor.netty.NettyOutbound;
import reactor.netty.http.client.HttpClientRequest;
import reactor.netty.http.client.HttpClientResponse;

/**
 * Reactor Netty's HttpClient without WebClient, over HTTP/1.1 or HTTP/2 as the variant says. Replies arrive on Reactor
 * Netty's event loops, a deadline's error on Reactor's timer.
 */
class RestNettySquareClient extends PooledRestClient {

    RestNettySquareClient(Variant variant, RestSettings settings, CallLimits limits, MeterRegistry meters) {
        super(variant, settings, limits, meters);
    }

    @Override
    void send(int server, long correlationId, SquareRequest request) {
        Server target = servers.get(server);
        NettyCall call = new NettyCall(server, correlationId, request);
        pending.disposeWithCall(correlationId, call);
        (HttpMessages.hasBody(request) ? target.post() : target.get())
                .uri(HttpMessages.uri(target.path(), request))
                .send(call::sending)
                .responseConnection(call::answered)
                .subscribe(call);
    }

    private final class NettyCall extends Call<ByteBuf> {

        private final ByteArrayOutputStream body = new ByteArrayOutputStream();
        private int status;

        NettyCall(int server, long correlationId, SquareRequest request) {
            super(server, correlationId, request);
        }

        Publisher<Void> sending(HttpClientRequest sending, NettyOutbound outbound) {
            String parent = request.traceparent();
            if (parent != null) {
                sending.header(Traces.PARENT, parent);
            }
            outbound.withConnection(this::sentOn);
            if (!HttpMessages.hasBody(request)) {
                return outbound;
            }
            sending.header(HttpHeaderNames.CONTENT_TYPE, HttpMessages.contentType(request));
            return outbound.sendByteArray(Mono.just(HttpMessages.body(request)));
        }

        Publisher<ByteBuf> answered(HttpClientResponse response, Connection connection) {
            status = response.status().code();
            CallTrace trace = request.trace();
            if (trace != null) {
                trace.worked(response.responseHeaders().get(ResponderWork.HEADER));
            }
            return connection.inbound().receive();
        }

        @Override
        public void onNext(ByteBuf part) {
            // The body of an error reply is not read.
            if (isDisposed() || status != 200) {
                return;
            }
            try {
                HttpMessages.requireBytes(request, body.size() + part.readableBytes());
                body.writeBytes(ByteBufUtil.getBytes(part));
            } catch (CallException e) {
                dispose();
                pending.fail(correlationId, e);
            }
        }

        @Override
        public void onComplete() {
            if (status != 200) {
                pending.fail(correlationId, HttpMessages.errorReply(status));
            } else {
                pending.reply(correlationId, body.toByteArray(), HttpMessages::read);
            }
        }
    }
}
