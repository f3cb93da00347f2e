package dev.chatterbox.traces;

import io.opentelemetry.api.trace.Span;
import java.util.concurrent.TimeUnit;

/** A responder's work on one call. */
public final class WorkSpan {

    private final Span span;
    private final String responder;
    private final long begun;

    /** The same moment by {@link System#nanoTime}: the clock of {@code begun} may be set meanwhile. */
    private final long begunNanoTime = System.nanoTime();

    WorkSpan(Span span, String responder, long begun) {
        this.span = span;
        this.responder = responder;
        this.begun = begun;
    }

    /** Ends the work now, and says for the reply when it was: the text of the header {@link ResponderWork#HEADER}. */
    public String end() {
        long now = begun + System.nanoTime() - begunNanoTime;
        span.end(now, TimeUnit.NANOSECONDS);
        return new ResponderWork(responder, begun, now).toString();
    }
}
