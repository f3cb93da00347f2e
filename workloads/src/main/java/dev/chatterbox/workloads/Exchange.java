package dev.chatterbox.workloads;

import java.util.Locale;

/** How the calls of one request travel between aggregator and responder. */
public enum Exchange {
    /** One message a call, and one back. */
    UNARY;

    private final String text = name().toLowerCase(Locale.ROOT);

    /** As rows, URLs and the text form of a workload name it. */
    public String text() {
        return text;
    }
}
