package dev.chatterbox.workloads;

import dev.chatterbox.transport.CallMode;
import dev.chatterbox.transport.CallWork;
import java.util.Locale;
import java.util.Set;

/** A number of a {@link Workload}. Its name in small letters is its key in the text form. */
public enum Dimension {
    /** Backend calls per request: the squares that it asks for, however they travel. Of a queue, messages. */
    CALLS(1, 1_000_000, Set.of(CallMode.values())),
    /** Calls that a message of a batch carries at most. */
    SIZE(1, 10_000, Set.of(CallMode.BATCH)),
    /** Messages of a queue that are published and not yet acknowledged. */
    PUBLISHERS(1, 1_000, Set.of(CallMode.QUEUE)),
    /** Consumers of a queue in each group. */
    CONSUMERS(1, 16, Set.of(CallMode.QUEUE)),
    /** Topics over which a queue's messages are spread. */
    TOPICS(1, 1_000, Set.of(CallMode.QUEUE)),
    /** Groups of a queue's consumers, which each get each message. */
    GROUPS(1, 50, Set.of(CallMode.QUEUE)),
    /** Bytes that each input and each output carries, or each message of a queue. */
    PAYLOAD(0, 131_072, Set.of(CallMode.values())),
    /** CPU time that each call costs its responder, in microseconds. */
    BURN(0, CallWork.MOST_BURN, Set.of(CallMode.UNARY, CallMode.BATCH, CallMode.STREAM)),
    /** Time that each call waits at its responder without a thread, in microseconds. */
    WAIT(0, CallWork.MOST_WAIT, Set.of(CallMode.UNARY, CallMode.BATCH, CallMode.STREAM)),
    /** The round-trip time put between the processes, in milliseconds. */
    DISTANCE(0, 10_000, Set.of(CallMode.values()));

    private final int least;
    private final int most;
    private final Set<CallMode> modes;

    Dimension(int least, int most, Set<CallMode> modes) {
        this.least = least;
        this.most = most;
        this.modes = modes;
    }

    /** Its name in the text form. */
    public String key() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Whether it is a part of the text {@code work=burn:200us+wait:2ms}. */
    boolean isWork() {
        return this == BURN || this == WAIT;
    }

    private String unit() {
        return this == DISTANCE ? "ms" : isWork() ? "us" : "";
    }

    boolean isOf(CallMode mode) {
        return modes.contains(mode);
    }

    /** @throws WorkloadException it must be named */
    int byDefault(CallMode mode) {
        return switch (this) {
            case CALLS, SIZE -> throw new WorkloadException(key() + "=N is missing");
            case PUBLISHERS -> 250;
            case PAYLOAD -> mode == CallMode.QUEUE ? 256 : 0;
            case CONSUMERS, TOPICS, GROUPS, DISTANCE, BURN, WAIT -> least;
        };
    }

    /** The number in the text form; empty if it need not be said. */
    String text(CallMode mode, int number) {
        boolean isSilent = switch (this) {
            case CALLS, SIZE, PUBLISHERS, CONSUMERS -> false;
            case TOPICS, GROUPS, DISTANCE, BURN, WAIT -> number == least;
            case PAYLOAD -> number == least && mode != CallMode.QUEUE;
        };
        return isSilent ? "" : " " + key() + "=" + (isWork() ? CallWork.text(number) : number + unit());
    }

    /**
     * Reads a number; one of milliseconds may have its unit, and one of microseconds must have one.
     *
     * @throws WorkloadException the text is no whole number, or it is out of range
     */
    public int parse(String text) {
        if (isWork()) {
            try {
                return CallWork.micros(key(), text.strip(), most);
            } catch (IllegalArgumentException e) {
                throw new WorkloadException(String.valueOf(e.getMessage()));
            }
        }
        String number = text.strip();
        number = number.endsWith(unit()) ? number.substring(0, number.length() - unit().length()) : number;
        return require(Workload.whole(key(), number));
    }

    int require(int number) {
        Workload.require(
                number >= least && number <= most,
                "%1$s must be %2$d%5$s to %3$d%5$s, but it is %4$d%5$s",
                key(),
                least,
                most,
                number,
                unit());
        return number;
    }
}
