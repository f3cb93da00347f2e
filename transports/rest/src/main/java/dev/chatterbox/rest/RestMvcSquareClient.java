package dev.chatterbox.rest;

import dev.chatterbox.client.CallException;
import dev.chatterbox.client.CallLimits;
import dev.chatterbox.client.CallTrace;
import dev.chatterbox.client.Deviation;
import dev.chatterbox.client.MessageLimit;
import dev.chatterbox.client.PendingCalls;
import dev.chatterbox.client.PendingClient;
import dev.chatterbox.client.SquareRequest;
import dev.chatterbox.http.HttpMessages;
import dev.chatterbox.traces.ResponderWork;
import dev.chatterbox.traces.Traces;
import dev.chatterbox.variants.Variant;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestClientException;
import org.springframework.web.client.RestClientResponseException;
import reactor.core.publisher.Mono;

/**
 * What a team with Spring writes in 2026: RestClient, which blocks, on a virtual thread for each call. It is over the
 * JDK's HTTP client on virtual threads, and has its defaults, because Spring Boot makes it so in a program of Spring MVC
 * whose {@code spring.threads.virtual.enabled} is set. The bounds on calls in flight and the deadlines are the
 * aggregator's. Replies arrive on the call's virtual thread, a deadline's error on Reactor's timer.
 */
class RestMvcSquareClient extends PendingClient {

    private static final byte[] EMPTY = {};

    private final URI url;
    private final SimpleAsyncTaskExecutor threads;
    private final RestClient client;

    /** Of several urls, it uses the first. */
    RestMvcSquareClient(Variant variant, RestSettings settings, CallLimits limits, MeterRegistry meters) {
        super(PendingCalls.start(variant.name(), limits.maxOutstanding(Integer.MAX_VALUE), meters));
        url = settings.urls().get(0);
        threads = new SimpleAsyncTaskExecutor(variant.name() + "-");
        client = RestClient.builder()
                .baseUrl(url)
                .requestFactory(new JdkClientHttpRequestFactory(
                        HttpClient.newBuilder().executor(threads).build()))
                .build();
    }

    /** @throws UnsupportedOperationException this Java has no virtual threads: the bench disables the variant there */
    @Override
    public void start() {
        threads.setVirtualThreads(true);
    }

    @Override
    protected void send(long correlationId, SquareRequest request) {
        Future<?> call = threads.submit(() -> ask(correlationId, request));
        // An interrupt ends the wait, and the JDK's client then closes the connection.
        pending.disposeWithCall(correlationId, () -> call.cancel(true));
    }

    private void ask(long correlationId, SquareRequest request) {
        try {
            if (request.payload() > 0) {
                // A protobuf message without any field has no bytes.
                byte[] body = answer(request, byte[].class).orElse(EMPTY);
                pending.reply(correlationId, body, SquareRequest::read);
            } else if (request.batch()) {
                long[] squares = answer(request, long[].class).orElseThrow(RestMvcSquareClient::empty);
                pending.reply(correlationId, squares, SquareRequest::reply);
            } else {
                long square = answer(request, Long.class).orElseThrow(RestMvcSquareClient::empty);
                pending.reply(correlationId, square, (of, result) -> of.reply(of.number(), result));
            }
        } catch (RuntimeException e) {
            pending.fail(correlationId, callException(request, e));
        }
    }

    private <T> Optional<T> answer(SquareRequest request, Class<T> type) {
        RestClient.RequestHeadersSpec<?> asking = asking(request);
        CallTrace trace = request.trace();
        if (trace != null) {
            asking.header(Traces.PARENT, trace.traceparent());
        }
        ResponseEntity<T> reply = asking.retrieve().toEntity(type);
        if (trace != null) {
            trace.worked(reply.getHeaders().getFirst(ResponderWork.HEADER));
        }
        return Optional.ofNullable(reply.getBody());
    }

    private static CallException empty() {
        return CallException.error("an empty reply");
    }

    private RestClient.RequestHeadersSpec<?> asking(SquareRequest request) {
        String query = request.work().query();
        if (!HttpMessages.hasBody(request)) {
            return client.get().uri(HttpMessages.PATH + "unary/{number}" + query, request.number());
        }
        String path = HttpMessages.PATH + (request.batch() ? "batch" : "unary");
        if (request.payload() > 0) {
            return client.post()
                    .uri(path)
                    .contentType(MediaType.APPLICATION_PROTOBUF)
                    .body(request.body());
        }
        long first = request.number();
        return client.post()
                .uri(path + query)
                .contentType(MediaType.APPLICATION_JSON)
                .body(LongStream.range(first, first + request.count()).toArray());
    }

    private static CallException callException(SquareRequest request, RuntimeException error) {
        if (error instanceof CallException call) {
            return call;
        }
        if (error instanceof RestClientResponseException response) {
            return HttpMessages.errorReply(response.getStatusCode().value());
        }
        if (error instanceof RestClientException lost && lost.contains(IOException.class)) {
            String cause = lost.getMostSpecificCause().getMessage();
            return CallException.noAnswer(cause);
        }
        return CallException.error(
                "a reply that is not a JSON " + (request.batch() ? "array of whole numbers" : "number"));
    }

    @Override
    public Mono<Void> check() {
        return PooledRestClient.check(List.of(url));
    }

    @Override
    public Set<Deviation> deviations() {
        return Set.of(Deviation.SENDS_AGAIN);
    }

    @Override
    public MessageLimit messageLimit() {
        return HttpMessages.LIMIT;
    }

    @Override
    public Map<String, Object> settings() {
        return Map.of("urls", url.toString());
    }
}
