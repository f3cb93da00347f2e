package dev.chatterbox.cli;

import dev.chatterbox.stack.UsageException;
import dev.chatterbox.transport.Defaults;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The deadline of a call, and the distances at which it can be met. */
final class CallTimeout {

    private static final String VARIABLE = "CHATTERBOX_CALL_TIMEOUT";

    private static final Duration DEFAULT = Duration.ofSeconds(Defaults.CALL_TIMEOUT_SECONDS);

    /** The simple form of a duration in Spring, such as 10s. */
    private static final Pattern SIMPLE = Pattern.compile("([0-9]{1,15})([a-z]*)");

    /** The units of Spring's simple form; without a unit, the number is in milliseconds. */
    private static final Map<String, ChronoUnit> UNITS = Map.of(
            "ns", ChronoUnit.NANOS,
            "us", ChronoUnit.MICROS,
            "ms", ChronoUnit.MILLIS,
            "", ChronoUnit.MILLIS,
            "s", ChronoUnit.SECONDS,
            "m", ChronoUnit.MINUTES,
            "h", ChronoUnit.HOURS,
            "d", ChronoUnit.DAYS);

    private CallTimeout() {}

    /**
     * The deadline of an aggregator that is started now: it reads the same variable, of which Spring takes both forms.
     *
     * @throws UsageException the value is no duration
     */
    static Duration of(Map<String, String> environment) {
        String text = environment.getOrDefault(VARIABLE, "").strip();
        if (text.isEmpty()) {
            return DEFAULT;
        }
        Matcher simple = SIMPLE.matcher(text.toLowerCase(Locale.ROOT));
        try {
            return simple.matches() && UNITS.containsKey(simple.group(2))
                    ? Duration.of(Long.parseLong(simple.group(1)), UNITS.get(simple.group(2)))
                    : Duration.parse(text);
        } catch (DateTimeException | ArithmeticException e) {
            throw new UsageException("%s is '%s', which is no duration; it is written as 500ms, 10s or PT10S."
                    .formatted(VARIABLE, text));
        }
    }

    /** @param iso the deadline in the info of a running aggregator; if it is empty, the default is meant */
    static Duration of(String iso) {
        return iso.isEmpty() ? DEFAULT : Duration.parse(iso);
    }

    /** @throws UsageException a call over a broker, which goes over two links, cannot be answered in time */
    static void require(int distanceMillis, Duration deadline) {
        if (2L * distanceMillis >= deadline.toMillis()) {
            throw new UsageException(
                    "A distance of %d ms leaves a call no time: over a broker it waits for two links, so for %d ms, and its deadline is %d ms."
                            .formatted(distanceMillis, 2L * distanceMillis, deadline.toMillis()));
        }
    }
}
