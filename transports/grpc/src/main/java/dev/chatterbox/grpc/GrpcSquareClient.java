package dev.chatterbox.grpc;

import dev.chatterbox.client.CallException;
import dev.chatterbox.client.CallLimits;
import dev.chatterbox.client.CallTrace;
import dev.chatterbox.client.MessageLimit;
import dev.chatterbox.client.PendingCalls;
import dev.chatterbox.client.PendingClient;
import dev.chatterbox.client.SquareRequest;
import dev.chatterbox.client.SquareStream;
import dev.chatterbox.client.SquareStreamClient;
import dev.chatterbox.proto.Input;
import dev.chatterbox.proto.Inputs;
import dev.chatterbox.proto.Output;
import dev.chatterbox.proto.Outputs;
import dev.chatterbox.variants.Variant;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;

/**
 * Calls over one channel or several. A call has no stub, future or timer of its own: {@link PendingCalls} keeps the
 * deadlines, as for every transport, and the server is told them. Replies arrive on Netty's event loops, a deadline's
 * error on Reactor's timer.
 */
class GrpcSquareClient extends PendingClient implements SquareStreamClient {

    private static final MethodDescriptor<Input, Output> UNARY = SquaresGrpc.getUnaryMethod();
    private static final MethodDescriptor<Inputs, Outputs> BATCH = SquaresGrpc.getBatchMethod();

    /**
     * Tells the server when a call is given up, and a second more: if the server's end came first, the call would fail
     * as cancelled and not by its deadline. CallOptions' deadline would be a task of a timer here for each call.
     */
    private static final Metadata.Key<String> DEADLINE =
            Metadata.Key.of("grpc-timeout", Metadata.ASCII_STRING_MARSHALLER);

    /** How many messages a call requests: two, so that a reply with a second message is noticed. */
    private static final int MESSAGES = 2;

    private final GrpcSettings settings;
    private final Channels channels;
    private final AtomicLong streams = new AtomicLong();

    GrpcSquareClient(Variant variant, GrpcSettings settings, CallLimits limits, MeterRegistry meters) {
        super(PendingCalls.start(variant.name(), limits.maxOutstanding(Integer.MAX_VALUE), meters));
        this.settings = settings;
        channels = new Channels(settings.targets(), settings.channels(), settings.maxAge());
    }

    @Override
    protected void send(long correlationId, SquareRequest request) {
        if (request.batch()) {
            send(correlationId, request, BATCH, request.inputs(), SquareRequest::reply);
        } else {
            send(correlationId, request, UNARY, request.input(), SquareRequest::reply);
        }
    }

    private <Q, R> void send(
            long correlationId,
            SquareRequest request,
            MethodDescriptor<Q, R> method,
            Q message,
            PendingCalls.Reader<R> reader) {
        ClientCall<Q, R> call = channels.next(correlationId).newCall(method, CallOptions.DEFAULT);
        CallTrace trace = request.trace();
        ReplyListener<R> listener = new ReplyListener<>(correlationId, trace, call, reader);
        Metadata metadata = new Metadata();
        metadata.put(DEADLINE, request.timeout().plusSeconds(1).toMillis() + "m");
        if (trace != null) {
            metadata.put(GrpcMessages.PARENT, trace.traceparent());
        }
        call.start(listener, metadata);
        call.request(MESSAGES);
        call.sendMessage(message);
        call.halfClose();
        // This comes last, because a cancelled call takes no message. If the call has ended meanwhile, this cancels it.
        pending.disposeWithCall(correlationId, listener);
    }

    @Override
    public SquareStream stream(int n) {
        return new GrpcStream(pending, () -> channels.next(streams.getAndIncrement()), n);
    }

    @Override
    public Mono<Void> check() {
        return Mono.firstWithValue(
                        channels.all().stream().map(GrpcMessages::serving).toList())
                .onErrorMap(error -> CallException.unavailable(
                        "no square service answers at " + String.join(",", settings.targets())))
                .then();
    }

    @Override
    public MessageLimit messageLimit() {
        return GrpcMessages.LIMIT;
    }

    @Override
    public Map<String, Object> settings() {
        return Map.of(
                "targets", String.join(",", settings.targets()),
                "library", Channels.version(),
                "channels", settings.channels());
    }

    @Override
    public void start() {
        channels.start();
    }

    @Override
    public void stop() {
        super.stop();
        channels.stop();
    }

    /** Receives the reply of one call. {@link PendingCalls} disposes of it if the call is given up. */
    private final class ReplyListener<R> extends ClientCall.Listener<R> implements Disposable {

        private final long correlationId;
        private final @Nullable CallTrace trace;
        private final ClientCall<?, R> call;
        private final PendingCalls.Reader<R> reader;
        private volatile boolean disposed;
        private @Nullable R reply;
        private int messages;

        ReplyListener(
                long correlationId, @Nullable CallTrace trace, ClientCall<?, R> call, PendingCalls.Reader<R> reader) {
            this.correlationId = correlationId;
            this.trace = trace;
            this.call = call;
            this.reader = reader;
        }

        @Override
        public void onMessage(R message) {
            reply = message;
            messages++;
        }

        @Override
        public void onClose(Status status, Metadata trailers) {
            R received = reply;
            if (disposed) {
                return;
            }
            if (trace != null) {
                trace.worked(trailers.get(GrpcMessages.WORK));
            }
            if (!status.isOk()) {
                pending.fail(correlationId, GrpcMessages.callException(status));
            } else if (received == null || messages > 1) {
                pending.fail(correlationId, GrpcMessages.unreadable(messages + " messages"));
            } else {
                pending.reply(correlationId, received, reader);
            }
        }

        @Override
        public void dispose() {
            disposed = true;
            call.cancel("given up", null);
        }
    }
}
