package dev.chatterbox.square.common;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Failures on demand, for teaching and for tests; all off by default.
 *
 * @param delay how long every answer is held back, 0 to 1 hour
 * @param drop the probability that a request is never answered, 0 to 1
 * @param wrong the probability that an answer is one too large, 0 to 1
 */
@ConfigurationProperties("chatterbox.faults")
public record Faults(
        @DefaultValue("0ms") Duration delay,
        @DefaultValue("0") double drop,
        @DefaultValue("0") double wrong) {

    private static final Duration LONGEST = Duration.ofHours(1);

    public static final Faults NONE = new Faults(Duration.ZERO, 0, 0);

    public Faults {
        if (delay.isNegative() || delay.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("chatterbox.faults.delay must be 0s to 1h, but it is " + delay);
        }
        requireProbability("drop", drop);
        requireProbability("wrong", wrong);
    }

    private static void requireProbability(String name, double value) {
        if (!(value >= 0 && value <= 1)) {
            throw new IllegalArgumentException("chatterbox.faults." + name + " must be 0 to 1, but it is " + value);
        }
    }

    boolean on() {
        return !equals(NONE);
    }
}
