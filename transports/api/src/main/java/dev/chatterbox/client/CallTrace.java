package dev.chatterbox.client;

import dev.chatterbox.traces.ResponderWork;
import dev.chatterbox.traces.Traces;
import org.jspecify.annotations.Nullable;

/** What a client knows of the span of a call that is traced: it sends its name, and takes what the reply says. */
public final class CallTrace {

    private final String traceparent;
    private volatile @Nullable ResponderWork work;

    public CallTrace(String traceparent) {
        this.traceparent = traceparent;
    }

    /** The request's header {@link Traces#PARENT}. */
    public String traceparent() {
        return traceparent;
    }

    /** @param header of the reply, {@link ResponderWork#HEADER}; null if it has none */
    public void worked(@Nullable String header) {
        work = ResponderWork.parse(header);
    }

    /** When a responder worked on the call; null as long as no reply has said it. */
    public @Nullable ResponderWork work() {
        return work;
    }
}
