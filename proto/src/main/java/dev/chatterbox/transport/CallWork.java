package dev.chatterbox.transport;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a call asks of its responder besides the square. Durations have the text form {@code 200us}, {@code 2ms} or
 * {@code 1s}.
 *
 * @param burnMicros the CPU time that the responder's thread spends, by its own clock, 0 to {@link #MOST_BURN}
 * @param waitMicros the time that passes without a thread, as for a database that answers later, 0 to
 *     {@link #MOST_WAIT}
 */
public record CallWork(int burnMicros, int waitMicros) {

    /** The names of the two as query parameters. */
    public static final String BURN = "burn";

    public static final String WAIT = "wait";

    /** In microseconds. */
    public static final int MOST_BURN = 10_000;

    public static final int MOST_WAIT = 1_000_000;

    /** The CPU time of all calls of a request, or of all inputs of a message, in microseconds. */
    private static final long MOST_BURN_TOGETHER = 10_000_000;

    public static final CallWork NONE = new CallWork(0, 0);

    private static final Pattern DURATION = Pattern.compile("([0-9]{1,9})(us|ms|s)");

    /** The same object each time if there is no work. */
    public static CallWork of(int burnMicros, int waitMicros) {
        return (burnMicros | waitMicros) == 0 ? NONE : new CallWork(burnMicros, waitMicros);
    }

    /**
     * Reads the values of the query parameters; null stands for one that is not there.
     *
     * @throws IllegalArgumentException one is no duration or out of its range; the message says the range
     */
    public static CallWork parse(@Nullable String burn, @Nullable String wait) {
        return of(burn == null ? 0 : micros(BURN, burn, MOST_BURN), wait == null ? 0 : micros(WAIT, wait, MOST_WAIT));
    }

    /**
     * Reads a duration.
     *
     * @param name of what is read, for the message
     * @param most in microseconds
     * @throws IllegalArgumentException it is no duration, or more than that
     */
    public static int micros(String name, String text, int most) {
        Matcher duration = DURATION.matcher(text);
        if (duration.matches()) {
            long micros = Long.parseLong(duration.group(1))
                    * switch (duration.group(2)) {
                        case "us" -> 1;
                        case "ms" -> 1_000;
                        default -> 1_000_000;
                    };
            if (micros <= most) {
                return (int) micros;
            }
        }
        throw new IllegalArgumentException(outOfRange(name, text, most));
    }

    /** The text form of a duration, in its largest unit without a fraction. */
    public static String text(long micros) {
        if (micros % 1_000 != 0 || micros == 0) {
            return micros + "us";
        }
        return micros % 1_000_000 == 0 ? micros / 1_000_000 + "s" : micros / 1_000 + "ms";
    }

    /**
     * Why an input with these fields is refused; null if it is not.
     *
     * @param burnMicros without a sign, as in the protobuf message
     * @param waitMicros likewise
     */
    public static @Nullable String wrong(int burnMicros, int waitMicros) {
        if (burnMicros < 0 || burnMicros > MOST_BURN) {
            return outOfRange(BURN, text(Integer.toUnsignedLong(burnMicros)), MOST_BURN);
        }
        return waitMicros < 0 || waitMicros > MOST_WAIT
                ? outOfRange(WAIT, text(Integer.toUnsignedLong(waitMicros)), MOST_WAIT)
                : null;
    }

    /** Why calls that together burn so much are refused; null if they are not. */
    public static @Nullable String wrongTogether(long burnMicros) {
        return burnMicros > MOST_BURN_TOGETHER
                ? "the calls of a request may burn %s together, but it would be %s"
                        .formatted(text(MOST_BURN_TOGETHER), text(burnMicros))
                : null;
    }

    /** @throws IllegalArgumentException the calls together would burn more than those of a request may */
    public static void requireTogether(int calls, int burnMicros) {
        String wrong = wrongTogether((long) calls * burnMicros);
        if (wrong != null) {
            throw new IllegalArgumentException(wrong);
        }
    }

    private static String outOfRange(String name, String value, int most) {
        return "%s must be 0us to %s, such as 200us or 2ms, but it is '%s'".formatted(name, text(most), value);
    }

    /** The query that asks for this work, with its question mark; empty if there is none. */
    public String query() {
        return this == NONE ? "" : "?" + BURN + "=" + text(burnMicros) + "&" + WAIT + "=" + text(waitMicros);
    }
}
