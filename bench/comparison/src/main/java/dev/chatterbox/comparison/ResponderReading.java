package dev.chatterbox.comparison;

import java.math.BigDecimal;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a responder process had counted at one moment, over all rows that it serves.
 *
 * @param responder the name of the process
 * @param squares requests that it received, whatever became of them
 * @param faults what it does wrong on demand, those that are on: {@code delay} in seconds, {@code drop} and
 *     {@code wrong} as probabilities
 * @param allocated bytes by the JVM so far; null if it does not tell, or is none
 */
record ResponderReading(
        String responder,
        double squares,
        Map<String, Double> faults,
        @Nullable Double allocated) {

    static ResponderReading of(Prometheus figures, String responder) {
        Map<String, Double> faults = new TreeMap<>();
        figures.named("chatterbox_faults")
                .filter(sample -> sample.value() != 0)
                .forEach(sample -> faults.put(sample.label("fault"), sample.value()));
        return new ResponderReading(
                responder,
                figures.sum(
                        "chatterbox_squares_total",
                        sample -> sample.label("responder").equals(responder)),
                faults,
                figures.allocatedBytes());
    }

    /** {@code delay 0.02 s, drop 0.01}; empty if no fault is on. */
    String faultText() {
        return faults.entrySet().stream()
                .map(fault -> "%s %s%s"
                        .formatted(
                                fault.getKey(),
                                BigDecimal.valueOf(fault.getValue())
                                        .stripTrailingZeros()
                                        .toPlainString(),
                                fault.getKey().equals("delay") ? " s" : ""))
                .collect(Collectors.joining(", "));
    }

    /** What was counted since an earlier reading; the faults stay those of this one. */
    ResponderReading since(ResponderReading earlier) {
        return new ResponderReading(
                responder, squares - earlier.squares, faults, Statistics.difference(allocated, earlier.allocated));
    }
}
