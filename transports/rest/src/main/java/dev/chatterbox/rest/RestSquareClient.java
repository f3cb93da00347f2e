package dev.chatterbox.rest;

import dev.chatterbox.client.CallException;
import dev.chatterbox.client.CallLimits;
import dev.chatterbox.client.CallTrace;
import dev.chatterbox.client.PendingCalls;
import dev.chatterbox.client.SquareRequest;
import dev.chatterbox.http.HttpMessages;
import dev.chatterbox.traces.ResponderWork;
import dev.chatterbox.traces.Traces;
import dev.chatterbox.variants.Variant;
import io.micrometer.core.instrument.MeterRegistry;
import java.net.URI;
import java.util.List;
import java.util.function.Consumer;
import org.springframework.core.codec.ByteArrayDecoder;
import org.springframework.http.HttpEntity;
import org.springframework.http.HttpHeaders;
import org.springframework.http.client.reactive.ClientHttpRequest;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Mono;
import reactor.netty.Connection;

/**
 * WebClient: a call is an HTTP/1.1 request on a connection from a pool of its own. Replies arrive on Reactor Netty's
 * event loops, a deadline's error on Reactor's timer. docs/transports/rest.md says what differs from the first example
 * in WebClient's documentation, and what each difference gains.
 */
class RestSquareClient extends PooledRestClient {

    private static final byte[] EMPTY = {};

    /** In the order of the servers. */
    private final List<WebClient> clients;

    RestSquareClient(
            Variant variant,
            RestSettings settings,
            CallLimits limits,
            MeterRegistry meters,
            WebClient.Builder builder) {
        super(variant, settings, limits, meters);
        clients =
                servers.stream().map(server -> client(builder.clone(), server)).toList();
    }

    private static WebClient client(WebClient.Builder builder, Server server) {
        return builder.codecs(codecs -> {
                    // The reply is one number, or bytes that are read here, so that no other codec must be asked.
                    codecs.registerDefaults(false);
                    codecs.customCodecs().register(new TextDecoder());
                    ByteArrayDecoder bytes = new ByteArrayDecoder();
                    bytes.setMaxInMemorySize(HttpMessages.MOST_BYTES);
                    codecs.customCodecs().register(bytes);
                })
                .defaultStatusHandler(status -> status.value() != 200, RestSquareClient::errorReply)
                .clientConnector(new RestConnector(server))
                .build();
    }

    @Override
    void send(int server, long correlationId, SquareRequest request) {
        URI uri = URI.create(HttpMessages.uri(servers.get(server).path(), request));
        WebClient client = clients.get(server);
        if (!HttpMessages.hasBody(request)) {
            WebCall<String> call = new WebCall<>(server, correlationId, request, HttpMessages::readNumber);
            pending.disposeWithCall(correlationId, call);
            body(request, client.get().uri(uri).httpRequest(call).retrieve(), String.class)
                    .subscribe(call);
            return;
        }
        byte[] body = HttpMessages.body(request);
        WebCall<byte[]> call = new WebCall<>(server, correlationId, request, HttpMessages::read);
        pending.disposeWithCall(correlationId, call);
        WebClient.ResponseSpec reply = client.post()
                .uri(uri)
                .header(HttpHeaders.CONTENT_TYPE, HttpMessages.contentType(request))
                .contentLength(body.length)
                .httpRequest(call)
                .body((message, context) ->
                        message.writeWith(Mono.just(message.bufferFactory().wrap(body))))
                .retrieve();
        // A protobuf message without any field has no bytes.
        body(request, reply, byte[].class).defaultIfEmpty(EMPTY).subscribe(call);
    }

    /** The body of a reply; if the call is traced, the reply's headers matter, too. */
    private static <T> Mono<T> body(SquareRequest request, WebClient.ResponseSpec reply, Class<T> type) {
        CallTrace trace = request.trace();
        return trace == null
                ? reply.bodyToMono(type)
                : reply.toEntity(type)
                        .doOnNext(entity -> trace.worked(entity.getHeaders().getFirst(ResponderWork.HEADER)))
                        .mapNotNull(HttpEntity::getBody);
    }

    private static Mono<CallException> errorReply(ClientResponse response) {
        return response.releaseBody()
                .thenReturn(HttpMessages.errorReply(response.statusCode().value()));
    }

    /** @param <T> the type in which the reply's body is read first */
    private final class WebCall<T> extends Call<T> implements Consumer<ClientHttpRequest> {

        private final PendingCalls.Reader<T> reader;
        private boolean answered;

        WebCall(int server, long correlationId, SquareRequest request, PendingCalls.Reader<T> reader) {
            super(server, correlationId, request);
            this.reader = reader;
        }

        @Override
        public void accept(ClientHttpRequest sending) {
            CallTrace trace = request.trace();
            if (trace != null) {
                sending.getHeaders().set(Traces.PARENT, trace.traceparent());
            }
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
        public void onComplete() {
            if (!answered) {
                pending.fail(correlationId, HttpMessages.notANumber());
            }
        }
    }
}
