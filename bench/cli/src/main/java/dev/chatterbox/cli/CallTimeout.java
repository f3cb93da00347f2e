package dev.chatterbox.cli;

import dev.chatterbox.stack.UsageException;
import dev.chatterbox.transport.Defaults;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;

/** The deadline of a call, and the distances at which it can be met. */
final class CallTimeout {

    private static final String VARIABLE = "CHATTERBOX_CALL_TIMEOUT";

    private CallTimeout() {}

    /**
     * The deadline of an aggregator that is started now, which reads the same variable.
     *
     * @throws UsageException the value is no duration
     */
    static Duration of(Map<String, String> environment) {
        return of(environment.getOrDefault(VARIABLE, ""));
    }

    /**
     * @param text of the variable, or in the info of a running aggregator; if it is empty, the default is meant. Spring
     *     reads 10s, 500ms and 500, which are milliseconds, besides PT10S.
     */
    static Duration of(String text) {
        String value = text.strip().toUpperCase(Locale.ROOT);
        try {
            if (value.isEmpty()) {
                return Duration.ofSeconds(Defaults.CALL_TIMEOUT_SECONDS);
            }
            return value.matches("[0-9]{1,15}(MS)?")
                    ? Duration.ofMillis(Long.parseLong(value.replace("MS", "")))
                    : Duration.parse(value.matches("[0-9]+[HMS]") ? "PT" + value : value);
        } catch (DateTimeException e) {
            throw new UsageException("%s is '%s', which is no duration; it is written as 500ms, 10s or PT10S."
                    .formatted(VARIABLE, text));
        }
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
