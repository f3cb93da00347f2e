package dev.chatterbox.report;

import static dev.chatterbox.report.SampleResults.KAFKA;
import static dev.chatterbox.report.SampleResults.NATS;
import static dev.chatterbox.report.SampleResults.REST;

import dev.chatterbox.report.SampleResults.Transport;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Every kind of run that a page must stand, by name. All of it is made-up test data. */
final class Samples {

    private Samples() {}

    static Map<String, SampleResults> all() {
        Map<String, SampleResults> samples = new LinkedHashMap<>();
        samples.put("quick", SampleResults.quick(1));
        samples.put("full", SampleResults.full(2));
        samples.put("one-cell", SampleResults.of("one-cell", 3, NATS).closed(List.of(100), List.of(10)));
        samples.put(
                "one-transport",
                SampleResults.of("one-transport", 4, KAFKA)
                        .closed(List.of(1, 100, 1000), List.of(100))
                        .rawLimits());
        samples.put("seven", seven());
        samples.put(
                "one-round",
                SampleResults.of("one-round", 6, REST, NATS, KAFKA).rounds(1).closed(List.of(1, 1000), List.of(100)));
        samples.put(
                "noisy",
                SampleResults.of("noisy", 7, REST, NATS, KAFKA)
                        .noise(0.15)
                        .closed(List.of(1, 10, 100, 1000), List.of(100)));
        samples.put(
                "open-only",
                SampleResults.of("open-only", 8, REST, NATS).open(List.of(10, 100), List.of(0.5, 0.7, 0.9)));
        samples.put(
                "invalid",
                SampleResults.quick(9)
                        .invalid("kafka", 1000, "12 requests of 1,200 failed: 504 Gateway Timeout")
                        .invalid("rest", 1, "3 replies did not belong to their request"));
        samples.put("all-invalid", allInvalid());
        samples.put(
                "interrupted",
                SampleResults.quick(11)
                        .put("interrupted", true)
                        .cells(cells -> cells.subList(5, cells.size()).clear()));
        samples.put("nothing", SampleResults.of("nothing", 12, REST, NATS).put("interrupted", true));
        samples.put("gaps", gaps());
        return samples;
    }

    private static SampleResults seven() {
        List<Transport> seven = new ArrayList<>(List.of(REST, NATS, KAFKA));
        for (int i = 1; i <= 4; i++) {
            seven.add(new Transport(
                    "made-up-" + i, "broker", "at most once", 8 + 5 * i, 3 + i, 4, 30 * i, 0.0006 * i, 200_000.0 / i));
        }
        return SampleResults.of("seven", 5, seven.toArray(new Transport[0]))
                .closed(List.of(1, 10, 100, 1000), List.of(1, 100))
                .rawLimits();
    }

    private static SampleResults allInvalid() {
        SampleResults results = SampleResults.of("all-invalid", 10, REST, NATS).closed(List.of(10), List.of(100));
        return results.invalid("rest", 10, "a wrong square").invalid("nats", 10, "7 calls timed out");
    }

    /** A transport whose processes could not be measured, and one whose broker was not there in half of the cells. */
    @SuppressWarnings("unchecked")
    private static SampleResults gaps() {
        return SampleResults.of("gaps", 13, REST, NATS, KAFKA)
                .closed(List.of(1, 100), List.of(10, 100))
                .cells(cells -> {
                    cells.removeIf(cell -> "kafka".equals(cell.get("transport"))
                            && Integer.valueOf(100).equals(cell.get("calls")));
                    for (Map<String, Object> cell : cells) {
                        if ("rest".equals(cell.get("transport"))) {
                            ((Map<String, Object>) cell.get("median")).put("cpu", null);
                            ((Map<String, Object>) cell.get("median")).put("callLatency", null);
                            for (Map<String, Object> round : (List<Map<String, Object>>) cell.get("rounds")) {
                                round.put("cpu", null);
                                round.remove("callLatency");
                            }
                        }
                    }
                })
                .environment("faults/nats/delay", "PT0.01S");
    }
}
