package dev.chatterbox.responder;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.convert.DurationStyle;

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

    /** @throws IllegalArgumentException a value is out of its range; the message names property and range */
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

    /** What GET of {@code /faults} shows and PUT takes. */
    public Map<String, Object> members() {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("delay", delay.toString());
        members.put("drop", drop);
        members.put("wrong", wrong);
        return members;
    }

    /**
     * Copies these faults, and replaces the values of the given members.
     *
     * @param change the members as they were read from JSON
     * @throws IllegalArgumentException a member is unknown, of another type or out of its range
     */
    public Faults with(Map<String, ?> change) {
        Faults changed = this;
        for (Map.Entry<String, ?> member : change.entrySet()) {
            Object value = member.getValue();
            if (member.getKey().equals("delay") && value instanceof String text) {
                changed = new Faults(DurationStyle.detectAndParse(text), changed.drop, changed.wrong);
            } else if (member.getKey().equals("drop") && value instanceof Number number) {
                changed = new Faults(changed.delay, number.doubleValue(), changed.wrong);
            } else if (member.getKey().equals("wrong") && value instanceof Number number) {
                changed = new Faults(changed.delay, changed.drop, number.doubleValue());
            } else {
                throw new IllegalArgumentException(
                        "delay must be a text as \"20ms\", drop and wrong must be numbers, and there is nothing else; but %s is %s"
                                .formatted(member.getKey(), value));
            }
        }
        return changed;
    }

    /** Shows the current faults as {@code chatterbox.faults}, a gauge for each; the delay in seconds. */
    static void bindTo(MeterRegistry meters, Supplier<Faults> current) {
        Map<String, ToDoubleFunction<Faults>> values =
                Map.of("delay", faults -> faults.delay.toNanos() / 1e9, "drop", Faults::drop, "wrong", Faults::wrong);
        values.forEach((fault, value) -> Gauge.builder("chatterbox.faults", () -> value.applyAsDouble(current.get()))
                .description("Failures on demand: delay in seconds, drop and wrong as probabilities; 0 is off")
                .tag("fault", fault)
                .register(meters));
    }
}
