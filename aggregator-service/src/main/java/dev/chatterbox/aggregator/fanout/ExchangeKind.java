package dev.chatterbox.aggregator.fanout;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** How inputs travel to a square service and outputs back; by its lower-case name in URLs and rows. */
public enum ExchangeKind {
    /** An input in a message of its own. */
    UNARY,
    /** Several in one message. */
    BATCH,
    /** One after the other in one exchange, each with an output of its own. */
    STREAM;

    private final String text = name().toLowerCase(Locale.ROOT);

    public String text() {
        return text;
    }

    /** All of them, for people. */
    static String names() {
        return Stream.of(values()).map(ExchangeKind::text).collect(Collectors.joining(", "));
    }

    /** @return empty where there is none of this name */
    public static Optional<ExchangeKind> find(String text) {
        return Stream.of(values()).filter(kind -> kind.text.equals(text)).findFirst();
    }
}
