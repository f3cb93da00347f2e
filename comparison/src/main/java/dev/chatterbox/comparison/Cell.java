package dev.chatterbox.comparison;

import org.jspecify.annotations.Nullable;

/**
 * One workload over one transport, measured once in each round.
 *
 * @param calls backend calls a request
 * @param users of the closed model; null in the open one
 * @param rate requests per second of the open model; null in the closed one
 * @param load the rate as a share of the capacity; null where the rate was given by hand
 */
record Cell(
        String transport,
        int calls,
        @Nullable Integer users,
        @Nullable Double rate,
        @Nullable Double load) {

    static Cell closed(String transport, int calls, int users) {
        return new Cell(transport, calls, users, null, null);
    }

    static Cell open(String transport, int calls, double rate, @Nullable Double load) {
        return new Cell(transport, calls, null, rate, load);
    }

    boolean isOpen() {
        return rate != null;
    }

    String model() {
        return isOpen() ? "open" : "closed";
    }

    /** For people: {@code 1000 × 100}, {@code 1000 @ 63/s}. */
    String shape() {
        return isOpen() ? "%d @ %s/s".formatted(calls, Format.short3(rate)) : "%d × %d".formatted(calls, users);
    }
}
