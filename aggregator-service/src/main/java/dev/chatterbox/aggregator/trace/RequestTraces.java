package dev.chatterbox.aggregator.trace;

import dev.chatterbox.traces.Traces;
import dev.chatterbox.transport.CallMode;
import dev.chatterbox.variants.Variant;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.context.Context;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/** Decides which requests are traced: those that ask for it, one at a time, and a share of all others. */
@Component
public class RequestTraces implements DisposableBean {

    private static final Logger log = LoggerFactory.getLogger(RequestTraces.class);

    private final Traces traces;
    private final double share;
    private final AtomicBoolean busy = new AtomicBoolean();

    /** @param share of the requests, 0 to 1; 0 for none */
    RequestTraces(@Value("${spring.application.name}") String service, @Value("${chatterbox.traces:0}") double share) {
        if (!(share >= 0 && share <= 1)) {
            throw new IllegalArgumentException("chatterbox.traces must be 0 to 1, but it is " + share);
        }
        if (share > 0 && !Traces.areExported()) {
            log.warn("chatterbox.traces is {}, but no collector is named: set OTEL_EXPORTER_OTLP_ENDPOINT", share);
        }
        traces = new Traces(service);
        this.share = share;
    }

    /** Whether some requests are traced without having asked for it. */
    public boolean areSampled() {
        return share > 0;
    }

    /**
     * A trace for a request that has not asked for one, if {@linkplain #areSampled some are}. A request from within a
     * trace is traced as that says.
     *
     * @param traceparent the request's own header; null if it has none
     * @return null if the request is not traced
     */
    public @Nullable RequestTrace sampled(Variant variant, CallMode mode, int messages, @Nullable String traceparent) {
        Context parent = traceparent == null ? Context.root() : Traces.parent(traceparent);
        SpanContext around = Span.fromContext(parent).getSpanContext();
        boolean isTraced = around.isValid()
                ? around.isSampled()
                : ThreadLocalRandom.current().nextDouble() < share;
        return isTraced ? new RequestTrace(traces, parent, variant, mode, messages) : null;
    }

    /**
     * Makes a unary request with a trace, twice, and shows the second: the first one loads what tracing needs here and
     * in the responders, which would look like their work.
     *
     * @param request makes it, and completes when all its calls have ended
     * @return its waterfall; nothing if another one is being made
     */
    public Mono<Waterfall> waterfall(Variant variant, int n, Function<RequestTrace, Mono<?>> request) {
        return Mono.defer(() -> {
            if (!busy.compareAndSet(false, true)) {
                return Mono.empty();
            }
            Mono<Waterfall> waterfall = Mono.defer(() -> {
                RequestTrace trace = new RequestTrace(traces, Context.root(), variant, CallMode.UNARY, n);
                return request.apply(trace).then(Mono.fromSupplier(trace::waterfall));
            });
            return waterfall.then(waterfall).doFinally(end -> busy.set(false));
        });
    }

    @Override
    public void destroy() {
        traces.close();
    }
}
