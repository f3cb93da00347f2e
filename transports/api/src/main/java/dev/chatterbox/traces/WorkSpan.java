package dev.chatterbox.traces;

import io.opentelemetry.api.trace.Span;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A responder's work on one call.
 *
 * @param begun nanoseconds since 1970
 * @param begunNanoTime the same moment by {@link System#nanoTime}: the clock of {@code begun} may be set meanwhile
 */
public record WorkSpan(Span span, String responder, long begun, long begunNanoTime) {

    /** Ends the work now, and says for the reply when it was: the text of the header {@link ResponderWork#HEADER}. */
    public String end() {
        long now = begun + System.nanoTime() - begunNanoTime;
        span.end(now, TimeUnit.NANOSECONDS);
        return new ResponderWork(responder, begun, now).toString();
    }

    /** The same for a call that may not be traced; null if it is not. */
    public static @Nullable String end(@Nullable WorkSpan work) {
        return work == null ? null : work.end();
    }
}
