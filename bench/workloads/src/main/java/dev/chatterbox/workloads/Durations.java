package dev.chatterbox.workloads;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as people write them: {@code 500ms}, {@code 5s}, {@code 0.5s}, {@code 2m}, {@code 1h}. */
public final class Durations {

    private static final Pattern TEXT = Pattern.compile("([0-9]{1,9}(?:\\.[0-9]{1,9})?)(ms|s|m|h|)");

    private Durations() {}

    /**
     * Reads a duration. A number without a unit is one of seconds.
     *
     * @return seconds
     * @throws WorkloadException the text is no duration
     */
    public static double seconds(String text) {
        Matcher matcher = TEXT.matcher(text.strip());
        Workload.require(matcher.matches(), "a duration is such as 500ms, 5s, 0.5s or 2m, but it is '%s'", text);
        double number = Double.parseDouble(matcher.group(1));
        return switch (matcher.group(2)) {
            case "ms" -> number / 1000;
            case "m" -> number * 60;
            case "h" -> number * 3600;
            default -> number;
        };
    }
}
