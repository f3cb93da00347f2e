package dev.chatterbox.transport;

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** How the calls of one request travel between aggregator and responder. */
public enum Exchange {
    /** One message a call, and one back. */
    UNARY,
    /** One message for several calls, and one back. */
    BATCH,
    /** One exchange for all calls of a request: a message a call, and one back, each as soon as it can. */
    STREAM;

    private final String text = name().toLowerCase(Locale.ROOT);

    /** As row files, URLs and the text form of a workload name it. */
    public String text() {
        return text;
    }

    /** @return empty where there is none of this name */
    public static Optional<Exchange> find(String text) {
        return Stream.of(values())
                .filter(exchange -> exchange.text.equals(text))
                .findFirst();
    }

    /** All that there are, for people. */
    public static String names() {
        return names(List.of(values()));
    }

    /** These, for people. */
    public static String names(Collection<Exchange> exchanges) {
        return exchanges.stream().map(Exchange::text).collect(Collectors.joining(", "));
    }
}
