package dev.chatterbox.workloads;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** How the calls of one request travel between aggregator and responder. */
public enum Exchange {
    /** One message a call, and one back. */
    UNARY,
    /** One message for several calls, and one back. */
    BATCH,
    /** One exchange for all calls of a request: a message a call, and one back, each as soon as it can. */
    STREAM;

    private final String text = name().toLowerCase(Locale.ROOT);

    /** As rows, URLs and the text form of a workload name it. */
    public String text() {
        return text;
    }

    /** @throws WorkloadException there is none of this name */
    public static Exchange of(String text) {
        return Arrays.stream(values())
                .filter(exchange -> exchange.text.equals(text))
                .findFirst()
                .orElseThrow(() -> new WorkloadException("there is no exchange '%s'; there are %s"
                        .formatted(
                                text,
                                Arrays.stream(values()).map(Exchange::text).collect(Collectors.joining(", ")))));
    }
}
