package dev.chatterbox.aggregator.trace;

import dev.chatterbox.client.CallTrace;
import dev.chatterbox.client.Outcome;
import dev.chatterbox.traces.Traces;
import dev.chatterbox.transport.CallMode;
import dev.chatterbox.variants.Variant;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.context.Context;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The spans of one request: its own, and for each message one of the wait until it was sent and one of its call. Names
 * and attributes are like those of OpenTelemetry's conventions for RPC and, where there is a broker, for messaging; the
 * part of the broker is what lies between a call's span and its responder's. One thread at a time begins calls; they
 * end on any.
 */
public final class RequestTrace {

    /** The names of systems in OpenTelemetry's conventions, where they are not the transport's. */
    private static final Map<String, String> SYSTEMS = Map.of("artemis", "activemq", "jetstream", "nats");

    private final Traces traces;
    private final Variant variant;
    private final String callName;
    private final Attributes attributes;
    private final Span span;
    private final Context context;
    private final @Nullable Call[] calls;

    /** The same moment by two clocks. */
    private final long begun = Traces.now();

    private final long begunNanoTime = System.nanoTime();
    private long ended = begun;

    /** @param sent and {@code ended} are nanoseconds since 1970 */
    private record Call(int number, Span span, CallTrace trace, long sent, long ended) {}

    RequestTrace(Traces traces, Context parent, Variant variant, CallMode mode, int messages) {
        this.traces = traces;
        this.variant = variant;
        String method = "square.Squares/" + mode.text();
        AttributesBuilder all = Attributes.builder().put("chatterbox.variant", variant.name());
        if (variant.broker().isPresent()) {
            String destination = destination() + (mode == CallMode.BATCH ? ".batch" : "");
            callName = "send " + destination;
            all.put("messaging.system", SYSTEMS.getOrDefault(variant.transport(), variant.transport()));
            all.put("messaging.operation.name", "send");
            all.put("messaging.operation.type", "send");
            all.put("messaging.destination.name", destination);
        } else {
            callName = method;
            all.put("rpc.system.name", variant.transport());
            all.put("rpc.method", method);
        }
        attributes = all.build();
        String route = "/%s/square/%s/{n}".formatted(variant.name(), mode.text());
        span = traces.begin("GET " + route, SpanKind.SERVER, parent, begun);
        span.setAttribute("http.request.method", "GET");
        span.setAttribute("http.route", route);
        span.setAttribute("chatterbox.messages", messages);
        context = Context.root().with(span);
        calls = new Call[messages];
    }

    private String destination() {
        return Stream.of("subject", "request-topic", "queue", "topic")
                .map(variant.address()::get)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(variant.name());
    }

    /**
     * Begins the span of a call, which is sent now.
     *
     * @param index of the message, from 0
     * @param number the first that it brings
     * @param at by {@link System#nanoTime}
     */
    public CallTrace sending(int index, int number, long at) {
        long sent = time(at);
        traces.begin("wait for a turn", SpanKind.INTERNAL, context, begun).end(sent, TimeUnit.NANOSECONDS);
        Span call = traces.begin(callName, SpanKind.CLIENT, context, sent);
        call.setAllAttributes(attributes);
        call.setAttribute("chatterbox.number", number);
        CallTrace trace = new CallTrace(Traces.traceparent(call));
        calls[index] = new Call(number, call, trace, sent, sent);
        return trace;
    }

    /** @param at by {@link System#nanoTime} */
    public void ended(int index, long at, Outcome outcome) {
        Call call = calls[index];
        // A call that is cancelled before its span begins has none yet.
        if (call != null) {
            long end = time(at);
            calls[index] = new Call(call.number(), call.span(), call.trace(), call.sent(), end);
            end(call.span(), outcome, end);
        }
    }

    /** The request has ended. */
    public void ended(Outcome outcome) {
        ended = time(System.nanoTime());
        end(span, outcome, ended);
    }

    private static void end(Span span, Outcome outcome, long at) {
        if (outcome != Outcome.OK) {
            span.setStatus(StatusCode.ERROR, outcome.tag());
        }
        span.end(at, TimeUnit.NANOSECONDS);
    }

    private long time(long nanoTime) {
        return begun + nanoTime - begunNanoTime;
    }

    /** After the end of a request whose calls all have a right reply. */
    Waterfall waterfall() {
        List<Waterfall.Call> shown = new ArrayList<>();
        for (Call call : calls) {
            if (call != null) {
                shown.add(new Waterfall.Call(
                        call.number(),
                        call.sent() - begun,
                        call.ended() - begun,
                        call.trace().work()));
            }
        }
        return Waterfall.of(span.getSpanContext().getTraceId(), variant.name(), begun, ended - begun, shown);
    }
}
