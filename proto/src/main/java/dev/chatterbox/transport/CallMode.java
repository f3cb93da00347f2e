package dev.chatterbox.transport;

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** How the calls of one request travel between aggregator and responder. */
public enum CallMode {
    /** One request message for each call, and one reply message. */
    UNARY,
    /** One request message for several calls, and one reply message. */
    BATCH,
    /** One stream for all calls of a request: one message for each call and for each reply, each sent at once. */
    STREAM,
    /** One message for each number, which nobody answers: the broker keeps it for a responder. */
    QUEUE;

    private final String text = name().toLowerCase(Locale.ROOT);

    /** The name of the call mode in variant files, in URLs and in the text form of a workload. */
    public String text() {
        return text;
    }

    /** @return empty if no call mode has this name */
    public static Optional<CallMode> find(String text) {
        return Stream.of(values()).filter(mode -> mode.text.equals(text)).findFirst();
    }

    /** The names of all call modes, for messages that people read. */
    public static String names() {
        return names(List.of(values()));
    }

    /** The names of these call modes, for messages that people read. */
    public static String names(Collection<CallMode> modes) {
        return modes.stream().map(CallMode::text).collect(Collectors.joining(", "));
    }
}
