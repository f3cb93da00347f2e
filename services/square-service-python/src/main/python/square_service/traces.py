"""The span of the work on a request that is traced. OpenTelemetry's SDK is imported when the first one is begun."""

import logging
import os
import threading
import time

# The request's header that names the span of its call, and the reply's that says when the responder worked.
PARENT = "traceparent"
WORK = "chatterbox_work"

ENDPOINTS = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")

# Seconds for the last spans when the process ends.
LAST = 2

log = logging.getLogger("square_service")

_provider = None
_broken = False


class Work:
    """Begun now, in nanoseconds since 1970."""

    def __init__(self, name, span, begun):
        self._name = name
        self._span = span
        self._begun = begun

    def end(self):
        """The text of the header WORK."""
        now = time.time_ns()
        self._span.end(now)
        return f"{self._begun} {now} {self._name}"


def begin(name, traceparent):
    """None where the call is not traced. name is that of the process; traceparent is text or bytes, or None."""
    global _broken
    if not traceparent or _broken:
        return None
    try:
        return _begin(name, traceparent.decode(errors="replace") if isinstance(traceparent, bytes) else traceparent)
    except Exception as e:
        # Calls go on without traces.
        _broken = True
        log.warning("Nothing is traced any more: %r", e)
        return None


def _begin(name, traceparent):
    from opentelemetry import trace
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

    parent = TraceContextTextMapPropagator().extract({PARENT: traceparent})
    if not trace.get_current_span(parent).get_span_context().trace_flags.sampled:
        return None
    now = time.time_ns()
    tracer = _provider_of(name).get_tracer("dev.chatterbox")
    return Work(name, tracer.start_span("square", parent, trace.SpanKind.SERVER, start_time=now), now)


def _provider_of(name):
    global _provider
    if _provider is None:
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider, sampling

        _provider = TracerProvider(
            # Whether a request is traced is decided when it comes, and nowhere again.
            sampler=sampling.DEFAULT_ON,
            resource=Resource.create({"service.name": name}),
            shutdown_on_exit=False,
        )
        if any(os.environ.get(endpoint) for endpoint in ENDPOINTS):
            from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
            from opentelemetry.sdk.trace.export import BatchSpanProcessor

            _provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    return _provider


def stop():
    """Sends the last spans, for two seconds at the most: the SDK itself waits for a collector that is away."""
    if _provider is not None:
        sending = threading.Thread(target=_provider.force_flush, daemon=True)
        sending.start()
        sending.join(LAST)
