package dev.chatterbox.traces;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.TracerProvider;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The spans of one process, by OpenTelemetry's SDK. The SDK is made when the first span is begun, so that a process
 * that traces nothing has nothing of it. It reads OpenTelemetry's environment variables, apart from those of sampler,
 * protocol and name; without an endpoint for OTLP, spans are begun and ended, but go nowhere. Safe for concurrent use.
 */
public final class Traces implements AutoCloseable {

    /** The header, or property, that names the span of a call to its responder: traceparent of W3C's Trace Context. */
    public static final String PARENT = "traceparent";

    private static final Logger log = LoggerFactory.getLogger(Traces.class);

    private static final String SCOPE = "dev.chatterbox";

    private static final Tracer NONE = TracerProvider.noop().get(SCOPE);

    /** Spans that wait to be sent: more than the two for each call that the largest request makes at once. */
    private static final String MOST_WAITING = "25000";

    /** The collector's address, by OpenTelemetry's own names. */
    private static final List<String> ENDPOINTS =
            List.of("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT");

    /** How long the last spans may take to the collector when the process ends. */
    private static final long LAST_SECONDS = 2;

    private static final TextMapGetter<String> ONLY_PARENT = new TextMapGetter<>() {
        @Override
        public Iterable<String> keys(String parent) {
            return List.of(PARENT);
        }

        @Override
        public @Nullable String get(@Nullable String parent, String key) {
            return key.equals(PARENT) ? parent : null;
        }
    };

    private final String service;
    private volatile @Nullable Tracer tracer;
    private @Nullable OpenTelemetrySdk sdk;

    /** @param service the name of this process in traces */
    public Traces(String service) {
        this.service = service;
    }

    /** Whether spans go to a collector. */
    public static boolean areExported() {
        return ENDPOINTS.stream()
                .anyMatch(name -> !System.getenv().getOrDefault(name, "").isBlank());
    }

    /**
     * Begins a span.
     *
     * @param parent the context of the span around it; {@link Context#root} if there is none
     * @param at nanoseconds since 1970
     */
    public Span begin(String name, SpanKind kind, Context parent, long at) {
        return tracer().spanBuilder(name)
                .setParent(parent)
                .setSpanKind(kind)
                .setStartTimestamp(at, TimeUnit.NANOSECONDS)
                .startSpan();
    }

    /**
     * Begins the span of a responder's work, now.
     *
     * @param traceparent of the request; null if it has none
     * @return null if the call is not traced
     */
    public @Nullable WorkSpan work(@Nullable String traceparent) {
        if (traceparent == null) {
            return null;
        }
        Context parent = parent(traceparent);
        if (!Span.fromContext(parent).getSpanContext().isSampled()) {
            return null;
        }
        long now = now();
        return new WorkSpan(begin("square", SpanKind.SERVER, parent, now), service, now, System.nanoTime());
    }

    /** The span that the text names; the root where the text cannot be read. */
    public static Context parent(String traceparent) {
        return W3CTraceContextPropagator.getInstance().extract(Context.root(), traceparent, ONLY_PARENT);
    }

    /** A span as the text of the header {@link #PARENT}. */
    public static String traceparent(Span span) {
        Map<String, String> headers = new HashMap<>();
        W3CTraceContextPropagator.getInstance().inject(Context.root().with(span), headers, Map::put);
        return headers.getOrDefault(PARENT, "");
    }

    /** Nanoseconds since 1970, by the clock of this machine. */
    public static long now() {
        Instant now = Instant.now();
        return TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano();
    }

    private Tracer tracer() {
        Tracer current = tracer;
        return current == null ? make() : current;
    }

    /** Calls go on without traces where the variables ask for what cannot be. */
    private synchronized Tracer make() {
        Tracer current = tracer;
        if (current == null) {
            try {
                sdk = AutoConfiguredOpenTelemetrySdk.builder()
                        .addPropertiesSupplier(() -> Map.of("otel.bsp.max.queue.size", MOST_WAITING))
                        .addPropertiesCustomizer(properties -> own())
                        .disableShutdownHook()
                        .build()
                        .getOpenTelemetrySdk();
                current = sdk.getTracer(SCOPE);
            } catch (RuntimeException e) {
                log.warn("Nothing is traced, because OpenTelemetry's SDK cannot be made: {}", e.getMessage());
                current = NONE;
            }
            tracer = current;
        }
        return current;
    }

    /** What OpenTelemetry's variables cannot change. */
    private Map<String, String> own() {
        return Map.of(
                "otel.service.name", service,
                // Whether a request is traced is decided when it comes, and nowhere again.
                "otel.traces.sampler", "parentbased_always_on",
                "otel.traces.exporter", areExported() ? "otlp" : "none",
                "otel.exporter.otlp.protocol", "http/protobuf",
                "otel.exporter.otlp.traces.protocol", "http/protobuf",
                "otel.metrics.exporter", "none",
                "otel.logs.exporter", "none");
    }

    /** Sends the last spans, for two seconds at the most. Spans that are begun later are not made. */
    @Override
    public void close() {
        OpenTelemetrySdk last;
        synchronized (this) {
            last = sdk;
            sdk = null;
            tracer = NONE;
        }
        if (last != null) {
            last.getSdkTracerProvider().shutdown().join(LAST_SECONDS, TimeUnit.SECONDS);
        }
    }
}
