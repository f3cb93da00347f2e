package dev.chatterbox.grpc;

import dev.chatterbox.traces.ResponderWork;
import dev.chatterbox.traces.Traces;
import io.grpc.Metadata;

/** The metadata of a call that is traced. */
public final class TraceKeys {

    /** Of the request. */
    public static final Metadata.Key<String> PARENT = Metadata.Key.of(Traces.PARENT, Metadata.ASCII_STRING_MARSHALLER);

    /** Of the reply's trailers. */
    public static final Metadata.Key<String> WORK =
            Metadata.Key.of(ResponderWork.HEADER, Metadata.ASCII_STRING_MARSHALLER);

    private TraceKeys() {}
}
