package dev.chatterbox.cli;

import dev.chatterbox.stack.UsageException;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Map;

/** The deadline of a call, and the distances at which it can be met. */
final class CallTimeout {

    private static final String VARIABLE = "CHATTERBOX_CALL_TIMEOUT";

    /** The aggregator's own (FanOutProperties). */
    private static final Duration DEFAULT = Duration.ofSeconds(5);

    private CallTimeout() {}

    /** As an aggregator would have it that was started now. */
    static Duration of(Map<String, String> environment) {
        String text = environment.getOrDefault(VARIABLE, "");
        return text.matches("[0-9]{1,6}ms") ? Duration.ofMillis(number(text)) : of("PT" + text);
    }

    private static long number(String text) {
        return Long.parseLong(text.replace("ms", ""));
    }

    /** @param iso as an aggregator tells its own; the default one where it is none */
    static Duration of(String iso) {
        try {
            return Duration.parse(iso);
        } catch (DateTimeParseException e) {
            return DEFAULT;
        }
    }

    /** @throws UsageException a call over a broker, which waits for two links, cannot be answered in time */
    static void require(int distanceMillis, Duration deadline) {
        if (2L * distanceMillis >= deadline.toMillis()) {
            throw new UsageException(
                    "A distance of %d ms leaves a call no time: over a broker it waits for two links, so for %d ms, and its deadline is %d ms."
                            .formatted(distanceMillis, 2L * distanceMillis, deadline.toMillis()));
        }
    }
}
